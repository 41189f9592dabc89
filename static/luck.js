// Adds a secret of this page to the luck of each match, and warns if the server is dishonest.
// `docs/fairness.md` describes the rules: a secret is opened for one list of a commitment only.
const PATIENCE_MS = 5000; // a share that was sent earlier must be on the list
const KEPT = 40;
const $ = (id) => document.getElementById(id);
const stored = (commitment) => JSON.parse(localStorage.getItem(`luck:${commitment}`) ?? "null");
const store = (commitment, part) => {
  localStorage.setItem(`luck:${commitment}`, JSON.stringify(part));
  const known = Object.keys(localStorage).filter((key) => key.startsWith("luck:"));
  const age = (key) => JSON.parse(localStorage.getItem(key)).at;
  for (const key of known.sort((a, b) => age(b) - age(a)).slice(KEPT)) localStorage.removeItem(key);
};

const warned = new Set();
const warn = (texts, name, about) => {
  if (warned.has(name + about)) return;
  warned.add(name + about);
  const line = document.createElement("p");
  line.textContent = texts[name];
  line.className = name === "other" ? "small" : "problem small";
  $("luck-alarms").append(line);
};

let lib = null;
let texts = {}; // sentences of the region, which it lacks during a match
let answered = "";
let sentAt = 0;
let last = ""; // commitment of the match that begins next

const commit = (commitment, name, send) => {
  if (answered === commitment) return;
  let part = stored(commitment);
  if (part?.name !== name) {
    const secret = lib.hex(crypto.getRandomValues(new Uint8Array(32)));
    part = { at: Date.now(), name, secret, share: lib.shareOf(commitment, name, secret) };
    store(commitment, part);
  }
  [answered, sentAt] = [commitment, Date.now()];
  send({ do: "CommitLuck", commitment, share: part.share });
};

const open = (commitment, name, { list, game, options, seats, voids }, send) => {
  for (const lost of voids) {
    if (lost.missing.includes(name) && opened.has(lost.list)) warn(texts, "slandered", lost.list);
  }
  const part = stored(commitment);
  if (list === null || !part) return;
  const { share } = seats.find((seat) => seat.username === name) ?? { share: null };
  const isOut = voids.some(({ missing }) => missing.includes(name));
  if (share === null) {
    if (!isOut && sentAt && Date.now() - sentAt > PATIENCE_MS) warn(texts, "leftOut", commitment);
  } else if (share !== part.share) warn(texts, "other", commitment);
  else if (part.list && part.list !== list) warn(texts, "twice", commitment);
  else if (lib.listOf(commitment, game, options, seats) !== list) warn(texts, "leftOut", commitment);
  else {
    store(commitment, { ...part, list });
    opened.add(list);
    send({ do: "RevealLuck", list, secret: part.secret });
  }
};
const opened = new Set();

const begin = (commitment, { list, code, seats }) => {
  const part = stored(commitment);
  if (!part?.list || part.code) return;
  const isOurs = list === part.list && seats.some(({ secret }) => secret === part.secret) && code === lib.codeOf(list, seats);
  if (isOurs) store(commitment, { ...part, code });
  else warn(texts, "leftOut", commitment);
};

// Answer what the region shows. `send` sends a form.
export const look = async (send) => {
  const { dataset } = $("luck");
  const name = $("table").dataset.me;
  if (dataset.verify) {
    texts = { ...dataset };
    lib ??= await import(dataset.verify);
  }
  if (!lib || !name) return;
  const { commitment, list, agreed } = dataset;
  if (commitment) last = commitment;
  if (commitment && !list) commit(commitment, name, send);
  else if (commitment) open(commitment, name, JSON.parse(list), send);
  else if (agreed && last) begin(last, JSON.parse(agreed));
};

// After a reconnect, send everything again.
export const again = () => { answered = ""; };
