// Adds a secret of this page to the luck of each match, and warns if the server is dishonest.
// `docs/fairness.md` describes the rules: a secret is opened for one list of a commitment only.
const PATIENCE_MS = 5000; // a share that was sent earlier must be on the list
const AWAY_MS = 300000; // later, other matches may have been played
const KEPT = 40; // opened parts, and others
const MOST_SEATS = 50;
const $ = (id) => document.getElementById(id);

let lib = null; // static/verify.js

// --- our parts, by commitment: all tabs share them, and they outlive reloads -------------------------

const memory = new Map(); // browsers may store nothing, or forget it
const isPart = (part) => Boolean(part) && [part.share, part.secret].every(lib.isHash) && typeof part.name === "string";
const read = (key) => {
  try {
    const part = JSON.parse(localStorage.getItem(key));
    return isPart(part) ? part : null;
  } catch {
    return null;
  }
};
const keyOf = (commitment) => `luck:${commitment}`;
const stored = (commitment) => {
  const known = memory.get(commitment);
  return known?.list ? known : read(keyOf(commitment)) ?? known;
};
const storedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith("luck:"));
const surplus = (parts) => [true, false].flatMap((isOpened) =>
  parts.filter(([, part]) => Boolean(part?.list) === isOpened).sort(([, a], [, b]) => (b?.at || 0) - (a?.at || 0)).slice(KEPT));
const store = (commitment, part) => {
  memory.set(commitment, part);
  for (const [old] of surplus([...memory])) if (old !== commitment) memory.delete(old);
  try {
    localStorage.removeItem(keyOf(commitment)); // if storage is full, forget a secret rather than its list
    localStorage.setItem(keyOf(commitment), JSON.stringify(part));
    for (const [key] of surplus(storedKeys().map((key) => [key, read(key)]))) if (key !== keyOf(commitment)) localStorage.removeItem(key);
  } catch { /* kept in memory */ }
};
const partsOf = (room) => {
  try {
    const known = storedKeys().map((key) => ({ ...read(key), commitment: key.slice(5) }));
    return known.filter((part) => part.room === room && part.list).sort((a, b) => b.at - a.at);
  } catch {
    return [];
  }
};

// --- warnings -----------------------------------------------------------------------------------------

const ALARMS = ["leftOut", "slandered", "twice", "away"];
let texts = {}; // sentences of the region, which it lacks during a match
const storeTexts = () => {
  try {
    localStorage.setItem("luck-texts", JSON.stringify(Object.fromEntries(ALARMS.map((name) => [name, texts[name]]))));
  } catch { /* then nothing is remembered either */ }
};
const storedTexts = () => {
  try {
    return JSON.parse(localStorage.getItem("luck-texts")) ?? {};
  } catch {
    return {};
  }
};
const warned = new Set();
const warn = (name, about) => {
  if (warned.has(name + about) || typeof texts[name] !== "string") return;
  warned.add(name + about);
  const line = document.createElement("p");
  line.textContent = texts[name];
  line.className = name === "other" ? "small" : "problem small";
  $("luck-alarms").append(line);
  const part = stored(about);
  if (part && name !== "other") store(about, { ...part, alarm: name });
};

// --- what the server shows: malformed values are treated as missing ones ------------------------------

const parsed = (text, is) => {
  try {
    const found = JSON.parse(text);
    return is(found) ? found : null;
  } catch {
    return null;
  }
};
const isVoids = (found) => Array.isArray(found) && found.every((one) => lib.isHash(one?.list) && Array.isArray(one.missing));
const isListed = ({ list, game, options, seats }) =>
  lib.isHash(list) && lib.isText(game) && lib.isPlain(options) && Array.isArray(seats) && seats.length <= MOST_SEATS &&
  seats.every((seat) => lib.isText(seat?.username) && (seat.share === null || lib.isHash(seat.share)));
const isBegun = (found) => lib.isHash(found.commitment) && (!found.seats || lib.isAgreement(found));

// --- the rules ----------------------------------------------------------------------------------------

let answered = "";
let sentAt = 0;
let last = ""; // commitment of the match that begins next
let checked = ""; // the agreement that was compared last
let pending = null; // the part opened last, whose match has to begin or whose list has to be void
let isOld = false; // whether the region is still that of the former connection
let before = ""; // the region at the last look
let hasSeenAll = true; // since then, without an interruption

const commit = (commitment, name, room, send) => {
  if (answered === `${commitment} ${name}`) return;
  let part = stored(commitment);
  if (part?.list) return; // another secret would allow another list
  if (part?.name !== name) {
    const secret = lib.hex(crypto.getRandomValues(new Uint8Array(32)));
    part = { at: Date.now(), room, name, secret, share: lib.shareOf(commitment, name, secret) };
    store(commitment, part);
  }
  [answered, sentAt] = [`${commitment} ${name}`, Date.now()];
  memory.set(commitment, part); // another tab may store another one
  send({ do: "CommitLuck", commitment, share: part.share });
};

const wasSent = (commitment, name) => answered === `${commitment} ${name}` && Date.now() - sentAt > PATIENCE_MS;
const isMissed = (voids, name) => voids.some(({ missing }) => missing.includes(name));

const open = (commitment, name, room, shown, voids, send) => {
  const known = [stored(commitment), memory.get(commitment)];
  const seat = shown?.seats.find(({ username }) => username === name);
  const part = known.find((one) => one && one.share === seat?.share) ?? known[0];
  if (!part || (shown && !seat)) return; // some only watch
  if (!shown) warn("leftOut", commitment);
  else if (seat.share === null) {
    if (isMissed(voids, name) || !wasSent(commitment, name)) sentAt = Infinity; // too late for this list
    else warn("leftOut", commitment);
  } else if (known.some((one) => one?.list && one.list !== shown.list)) warn("twice", commitment);
  else if (seat.share !== part.share) warn("other", name);
  else if (lib.listOf(commitment, shown.game, shown.options, shown.seats) !== shown.list) warn("leftOut", commitment);
  else if (!part.isOver) {
    if (!part.list) {
      store(commitment, { ...part, at: Date.now(), room, list: shown.list, names: shown.seats.map(({ username }) => username) });
      hasSeenAll = true;
    }
    pending = { commitment, part: stored(commitment) };
    storeTexts();
    send({ do: "RevealLuck", list: shown.list, secret: part.secret });
  }
};

// Check what became of the list that we opened.
const resolve = (commitment, name, begun, voids) => {
  const { commitment: about, part } = pending;
  const lost = voids.find(({ list }) => list === part.list);
  if (!lost && begun?.commitment !== about && commitment === about) {
    if (!isOld) hasSeenAll = true;
    return;
  }
  pending = null;
  store(about, { ...(stored(about) ?? part), isOver: true });
  if (lost) {
    if (lost.missing.includes(name)) warn("slandered", about);
  } else if (begun?.commitment === about) {
    if (begun.list !== part.list) warn("leftOut", about);
  } else if (hasSeenAll) warn(commitment ? "twice" : "leftOut", about);
  else if (Date.now() - part.at < AWAY_MS) warn("away", about);
};

// Check what the server says that everybody agreed on, when a match begins.
const begin = (commitment, name, agreed, voids) => {
  const part = stored(commitment);
  const { list, code, seats } = agreed;
  const isVoid = voids.some((lost) => lost.list === part?.list);
  if (isVoid && agreed.commitment === commitment) warn("twice", commitment); // an honest server makes a new commitment
  if (!part || isVoid || (part.isOver && part.list !== list)) return;
  const seat = seats.find(({ username }) => username === name);
  const isOurs = list === part.list && agreed.commitment === commitment && seats.some(({ secret }) => secret === part.secret) && (part.code ?? code) === code;
  const hasOpened = part.list && isOurs && lib.isAgreed({ ...agreed, seats: lib.namedBy(part.names, seats) });
  // The server could have made this share, so the page must not be silent.
  const isOther = !part.list && seat?.secret && seat.share !== part.share && agreed.commitment === commitment && lib.isAgreed(agreed);
  if (hasOpened || isOther) {
    if (isOther) warn("other", name);
    store(commitment, { ...part, code });
  } else if (part.list || (wasSent(commitment, name) && (seat ? !isMissed(voids, name) : $("spectating").hidden))) warn("leftOut", commitment);
};

// Load what is needed, and remember what happened before this page was loaded.
const prepare = async (shown, room) => {
  lib = await import(shown.verify);
  texts = storedTexts();
  const known = partsOf(room);
  for (const { commitment, alarm } of known) if (ALARMS.includes(alarm)) warn(alarm, commitment);
  const [newest] = known;
  if (newest && !newest.isOver) [pending, hasSeenAll] = [{ commitment: newest.commitment, part: newest }, false];
};
let ready = null;

// Answer what the region shows. `send` sends a form.
export const look = async (send) => {
  const shown = { ...$("luck").dataset };
  const { me: name } = $("table").dataset;
  const room = location.pathname.toLowerCase().split("/").filter(Boolean).pop(); // with any spelling of the path
  if (!name || shown.parked) return;
  await (ready ??= prepare(shown, room).catch((error) => { // offline: the next update tries again
    ready = null;
    throw error;
  }));
  if (shown.leftOut) texts = shown;
  isOld &&= JSON.stringify(shown) === before;
  before = JSON.stringify(shown);
  const { commitment, list, agreed } = shown;
  if (!pending && !commitment && checked === agreed) return;
  const voids = parsed(shown.voids, isVoids) ?? [];
  const begun = parsed(agreed, isBegun);
  if (pending) resolve(commitment, name, begun, voids);
  if (!commitment) {
    if (begun?.seats) begin(last || begun.commitment, name, begun, voids);
    checked = agreed;
    return;
  }
  if (!lib.isHash(commitment)) return;
  last = commitment;
  if (list) open(commitment, name, room, parsed(list, isListed), voids, send);
  else commit(commitment, name, room, send);
};

// After a reconnect, send everything again. Voids may have been missed meanwhile.
export const again = () => { [answered, hasSeenAll, isOld] = ["", false, true]; };
