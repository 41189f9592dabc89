// Adds a secret of this page to the luck of each match, and warns if the server is dishonest.
// `docs/fairness.md` describes the rules: a secret is opened for one list of a commitment only.
const PATIENCE_MS = 5000; // a share that was sent earlier must be on the list
const AWAY_MS = 300000; // later, other matches may have been played
const MOST_VOIDS = 3; // before a match
const KEPT = 40;
const $ = (id) => document.getElementById(id);

let lib = null; // static/verify.js

// --- our parts, by commitment: all tabs share them, and they outlive reloads

const memory = new Map(); // browsers may store nothing, or forget it
const tried = (get) => {
  try {
    return get();
  } catch {
    return null;
  }
};
const parsed = (text, is) => tried(() => {
  const found = JSON.parse(text);
  return is(found) ? found : null;
});
const isPart = ({ name, share, secret, seats = [] }) => lib.isText(name) && lib.isHash(share) && lib.isHash(secret) && seats.every(isShare);
const keyOf = (commitment) => `luck:${commitment}`;
const stored = (commitment) => {
  const known = memory.get(commitment);
  return known?.list ? known : parsed(tried(() => localStorage.getItem(keyOf(commitment))), isPart) ?? known;
};
// Return all parts: opened ones first, then newer ones.
const all = () => {
  const keys = tried(() => Object.keys(localStorage)) ?? [];
  const known = new Set([...memory.keys(), ...keys.filter((key) => key.startsWith("luck:")).map((key) => key.slice(5))]);
  const rank = (part) => (part?.list ? 1e15 : 0) + (part?.at || 0);
  return [...known].map((commitment) => [commitment, stored(commitment)]).sort(([, a], [, b]) => rank(b) - rank(a));
};
const forget = (commitment) => tried(() => localStorage.removeItem(keyOf(commitment)));
const store = (commitment, part) => {
  memory.set(commitment, part);
  forget(commitment); // if storage is full, forget a secret rather than its list
  tried(() => localStorage.setItem(keyOf(commitment), JSON.stringify(part)));
  for (const [old] of all().slice(KEPT)) if (old !== commitment) forget(old, memory.delete(old));
};

// --- warnings

const NOTES = ["other", "late", "missing", "gone"];
let texts = {}; // sentences of the region, which it lacks during a match
const warned = new Set();
const warn = (name, about, who = []) => {
  if (warned.has(name + about)) return;
  warned.add(name + about);
  const isNote = NOTES.includes(name);
  const line = document.createElement("p");
  line.textContent = (/\w/.test(texts[name] ?? "") ? texts[name] : `Luck warning: ${name} #`).replace("#", who.join(", "));
  line.className = isNote ? "small" : "problem small";
  $("luck-alarms").append(line);
  const part = stored(about);
  if (part && !isNote) store(about, { ...part, alarm: name });
};

// --- what the server shows: malformed values are treated as missing ones

const isNames = (found) => found.every(lib.isText);
const isShare = (seat) => lib.isText(seat?.username) && (seat.share === null || lib.isHash(seat.share));
const isVoids = (found) => found.every(({ list, missing, gone = [] }) => lib.isHash(list) && isNames([...missing, ...gone]));
const isListed = ({ list, game, options, seats }) =>
  lib.isHash(list) && lib.isText(game) && lib.isOptions(options) && seats.every(isShare);
const isBegun = (found) => lib.isHash(found.commitment) && (found.seats === undefined || lib.isAgreement(found));

// --- the rules

let answered = "";
let sentAt = 0;
let last = ""; // the commitment shown last, until we know what became of it
let match; // commitment of the newest match
let hasSeenAll = false; // since then, without an interruption
let isOld = false; // whether the region is still that of the former connection
let before = "";
let since = []; // lists that became void since that match
const voids = new Set(); // all that are known
const isNamed = (name) => since.some(({ missing, gone }) => [...missing, ...gone].includes(name));

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

// Our share is not used. The server could have made another one, so the page must not be silent.
const leftOut = (commitment, name, seat) => {
  const wasSent = answered === `${commitment} ${name}` && Date.now() - sentAt > PATIENCE_MS;
  if (seat?.share && seat.share !== stored(commitment)?.share) warn("other", name);
  else if (isNamed(name) || !(wasSent || seat?.share)) {
    sentAt = Infinity; // too late for all of this commitment
    warn("late", "");
  } else warn("leftOut", commitment);
};

const open = (commitment, name, room, shown, send) => {
  const known = [stored(commitment), memory.get(commitment)];
  const seat = shown?.seats.find(({ username }) => username === name);
  const part = known.find((one) => one && one.share === seat?.share) ?? known[0];
  if (!part || (shown && !seat)) return; // some only watch
  if (shown?.seats.some(({ username, share }) => share && isNamed(username))) warn("thrown", commitment);
  if (shown && known.some((one) => one?.list && one.list !== shown.list)) warn("twice", commitment);
  else if (shown && seat.share !== part.share) leftOut(commitment, name, seat);
  else if (!shown || lib.listOf(commitment, shown.game, shown.options, shown.seats) !== shown.list) warn("leftOut", commitment);
  else if (!part.isOver) {
    const { list, seats } = shown;
    if (!part.list) store(commitment, { ...part, at: Date.now(), room, list, seats });
    tried(() => localStorage.setItem("luck-texts", JSON.stringify(texts)));
    send({ do: "RevealLuck", list, secret: part.secret });
  }
};

// Check who is said to have made our list void.
const blame = (commitment, name, part, { missing, gone }) => {
  const wasHere = memory.get(commitment)?.list; // leaving ends a page
  const isListed = (who) => part.seats?.some(({ username, share }) => username === who && (share || gone.includes(who)));
  if (![...missing, ...gone].some(isListed)) warn(hasSeenAll ? "thrown" : "away", commitment);
  if (missing.includes(part.name)) warn("slandered", commitment);
  else if (gone.includes(name) && wasHere) warn("removed", commitment);
};

// Check what became of the commitment shown before: its match begins, or its list is void.
const resolve = (commitment, name, begun, lost) => {
  const [about, part] = [last, stored(last) ?? {}];
  const isBegun = begun?.commitment === about;
  const found = lost.find((one) => (part.list ? one.list === part.list : one.commitment === about));
  if (commitment === about && !isBegun && !found) return;
  last = "";
  const seat = begun?.seats?.find(({ username }) => username === name);
  const plays = seat || (hasSeenAll && $("spectating").hidden);
  const isLate = !commitment && !isBegun && hasSeenAll && plays; // for another list
  if (found) {
    if (isBegun) warn("twice", about); // an honest server makes a new commitment
    if (part.list) blame(about, name, part, found);
    if (isLate || (!part.list && found.missing.includes(name))) leftOut("", name);
  } else if (commitment && !isBegun && hasSeenAll) warn("thrown", about);
  else if (!part.list) {
    if ((isBegun || hasSeenAll) && plays) leftOut(about, name, isBegun && seat);
  } else if (isBegun ? !lib.isKept(about, part, begun) : hasSeenAll) warn("leftOut", about);
  else if (!isBegun && Date.now() - part.at < AWAY_MS) warn("away", about);
  if (part.share) store(about, { ...stored(about), isOver: true });
};

// Load what is needed, and remember what happened before this page was loaded.
const prepare = async (shown, room) => {
  lib = await import(shown.verify);
  texts = parsed(tried(() => localStorage.getItem("luck-texts")), Boolean) ?? {};
  const known = all().filter(([, part]) => part?.room === room).sort(([, a], [, b]) => b.at - a.at);
  for (const [commitment, { alarm }] of known) if (alarm) warn(alarm, commitment);
  if (known.length && !known[0][1].isOver) [[last]] = known;
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
  const now = name + JSON.stringify(shown);
  isOld &&= now === before;
  if (now === before && hasSeenAll) return;
  before = now;
  if (shown.leftOut) texts = shown;
  const commitment = lib.isHash(shown.commitment) ? shown.commitment : "";
  const lost = (parsed(shown.voids, isVoids) ?? []).map((one) => ({ gone: one.missing, ...one }));
  const begun = parsed(shown.agreed, isBegun);
  const isNew = begun?.commitment !== match;
  match = begun?.commitment;
  if (isNew && commitment) since = [];
  for (const one of lost.filter(({ list }) => !voids.has(list))) {
    voids.add(one.list);
    if (since.push(one) > MOST_VOIDS) warn("thrown", one.list);
    for (const how of ["missing", "gone"]) if (one[how].length) warn(how, one.list, one[how]);
  }
  if (last) resolve(commitment, name, begun, lost);
  if (isNew && !commitment) since = [];
  if (commitment) {
    if (shown.list) open(commitment, name, room, parsed(shown.list, isListed), send);
    else commit(commitment, name, room, send);
    if (stored(commitment)) last = commitment;
  }
  if (!isOld) hasSeenAll = true;
};

// After a reconnect, send everything again. Updates may have been missed meanwhile.
export const again = () => { [answered, hasSeenAll, isOld] = ["", false, true]; };
