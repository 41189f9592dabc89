// Adds a secret of this page to the luck of each match, and warns if the server is dishonest.
// `docs/fairness.md` describes the rules: a secret is opened for one list of a commitment only.
const PATIENCE_MS = 5000; // a share that was sent earlier must be on the list
const KEPT = 40; // opened parts, and others
const $ = (id) => document.getElementById(id);

const memory = new Map(); // browsers may store nothing, or forget it
const stored = (commitment) => {
  const known = memory.get(commitment);
  if (known?.list) return known;
  try {
    return JSON.parse(localStorage.getItem(`luck:${commitment}`)) ?? known;
  } catch {
    return known;
  }
};
const store = (commitment, part) => {
  memory.set(commitment, part);
  try {
    localStorage.setItem(`luck:${commitment}`, JSON.stringify(part));
    const keys = Object.keys(localStorage).filter((key) => key.startsWith("luck:"));
    const known = keys.map((key) => [key, JSON.parse(localStorage.getItem(key))]).sort((a, b) => b[1].at - a[1].at);
    for (const isOpened of [true, false]) {
      for (const [key] of known.filter(([, { list }]) => Boolean(list) === isOpened).slice(KEPT)) localStorage.removeItem(key);
    }
  } catch { /* kept in memory */ }
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
let pending = null; // the list opened last, which has to begin or to be declared void
const opened = new Set();

const commit = (commitment, name, send) => {
  if (answered === `${commitment} ${name}`) return;
  let part = stored(commitment);
  if (part?.list) return; // another secret would allow another list
  if (part?.name !== name) {
    const secret = lib.hex(crypto.getRandomValues(new Uint8Array(32)));
    part = { at: Date.now(), name, secret, share: lib.shareOf(commitment, name, secret) };
    store(commitment, part);
  }
  [answered, sentAt] = [`${commitment} ${name}`, Date.now()];
  send({ do: "CommitLuck", commitment, share: part.share });
};

const wasSent = (commitment, name) => answered === `${commitment} ${name}` && Date.now() - sentAt > PATIENCE_MS;
const isMissed = (voids, name) => voids.some(({ missing }) => missing.includes(name));

const open = (commitment, name, { list, game, options, seats }, voids, send) => {
  const part = stored(commitment);
  const seat = seats.find(({ username }) => username === name);
  if (!part || !seat) return; // some only watch
  if (seat.share === null) {
    if (!isMissed(voids, name) && wasSent(commitment, name)) warn(texts, "leftOut", commitment);
  } else if (seat.share !== part.share) warn(texts, "other", commitment);
  else if (part.list && part.list !== list) warn(texts, "twice", commitment);
  else if (lib.listOf(commitment, game, options, seats) !== list) warn(texts, "leftOut", commitment);
  else {
    store(commitment, { ...part, list });
    opened.add(list);
    pending = { commitment, list };
    send({ do: "RevealLuck", list, secret: part.secret });
  }
};

const begin = (commitment, name, agreed, voids) => {
  const part = stored(commitment);
  if (!part || part.code || voids.some((lost) => lost.list === part.list)) return;
  const { list, code, seats } = agreed;
  const seat = seats.find(({ username }) => username === name);
  const isOurs = list === part.list && seats.some(({ secret }) => secret === part.secret);
  if (part.list ? isOurs && lib.isAgreed({ commitment, ...agreed }) : seat?.secret) store(commitment, { ...part, code });
  else if (part.list || (wasSent(commitment, name) && (seat ? !isMissed(voids, name) : $("spectating").hidden))) warn(texts, "leftOut", commitment);
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
  const voids = JSON.parse(dataset.voids ?? "[]");
  for (const lost of voids) {
    if (pending?.list === lost.list) pending = null;
    if (lost.missing.includes(name) && opened.has(lost.list)) warn(texts, "slandered", lost.list);
  }
  if (!commitment) {
    if (agreed && last) begin(last, name, JSON.parse(agreed), voids);
    pending = null;
    return;
  }
  if (pending && pending.commitment !== commitment) warn(texts, "twice", pending.list);
  if (pending?.commitment !== commitment) pending = null;
  last = commitment;
  if (list) open(commitment, name, JSON.parse(list), voids, send);
  else commit(commitment, name, send);
};

// After a reconnect, send everything again. Voids may have been missed meanwhile.
export const again = () => { [answered, pending] = ["", null]; };
