// Adds to the luck of each match, and warns of a dishonest server (`docs/fairness.md`).
const PATIENCE_MS = 5000;
const AWAY_MS = 300000;
const BRIEF_MS = 10000;
const MOST_LOST = 3;
const KEPT = 40;
const FORMER = "former player";
const $ = (id) => document.getElementById(id);

let lib;
let [me, room, send] = [];

// --- our parts, by commitment

const memory = new Map();
const parsed = (text, is) => lib.tried(() => {
  const found = JSON.parse(text);
  return is(found) ? found : null;
});
const item = (key, is) => parsed(lib.tried(() => localStorage.getItem(key)), is);
const keep = (key, value) => lib.tried(() => {
  localStorage.removeItem(key);
  if (value) localStorage.setItem(key, JSON.stringify(value));
});
const isPart = ({ name, share, secret, seats = [] }) => lib.isText(name) && lib.isHash(share) && lib.isHash(secret) && seats.every(isShare);
const stored = (commitment) => {
  const known = memory.get(commitment);
  return known?.list ? known : item(`luck:${commitment}`, isPart) ?? known;
};
const rank = ([, part]) => (part?.list ? 1e15 : 0) + (part?.at || 0);
const parts = () => {
  const keys = Object.keys(lib.tried(() => localStorage) ?? {}).filter((key) => key.startsWith("luck:"));
  const known = new Set([...memory.keys(), ...keys.map((key) => key.slice(5))]);
  return [...known].map((commitment) => [commitment, stored(commitment)]).sort((a, b) => rank(b) - rank(a));
};
const inRoom = () => parts().filter(([, part]) => part?.room === room);
const store = (commitment, part) => {
  memory.set(commitment, part);
  keep(`luck:${commitment}`, part);
  for (const [old] of parts().slice(KEPT)) {
    if (old !== commitment) keep(`luck:${old}`, memory.delete(old) && null);
  }
};
// Count the lists that we have opened since our last match.
const countLost = () => {
  const opened = inRoom().filter(([, { list }]) => list);
  const seen = opened.findIndex(([, { isOver, played }]) => isOver && played !== 0);
  return seen < 0 ? opened.length : seen;
};

// --- warnings

let texts = {};
const sentence = (name, who = []) => (/\w/.test(texts[name] ?? "") ? texts[name] : `Luck warning: ${name} #`).replace("#", who.join(", "));
const warned = new Set();
const warn = (name, about, isNote) => {
  if (warned.has(name + about)) return;
  warned.add(name + about);
  const line = document.createElement("p");
  line.textContent = sentence(name);
  line.className = isNote ? "small" : "problem small";
  $("luck-alarms").append(line);
  const part = stored(about);
  if (part && !isNote) store(about, { ...part, alarm: name });
};
const note = (name, about) => warn(name, about, true);

// --- what the server shows

const isShare = (seat) => lib.isText(seat?.username) && (seat.share === null || lib.isHash(seat.share));
const isVoids = (found) => found.every(({ list, missing, gone = [] }) => lib.isHash(list) && missing.every(lib.isText) && gone.every(lib.isText));
const isListed = ({ list, game, options, seats }) =>
  lib.isHash(list) && lib.isText(game) && lib.isOptions(options) && seats.length <= lib.MOST_SEATS && seats.every(isShare);
const isBegun = (found) => lib.isHash(found.commitment) && (found.seats === undefined || lib.isAgreement(found));

// --- the rules

let answered, sentAt, last, match;
let running; // our match that we saw last
let hasSeenAll = false;
let before = "";
let since = []; // void lists since a match
const voids = new Set();
const isNamed = (name) => since.some(({ missing, gone }) => [...missing, ...gone].includes(name));
const isMine = ({ username }) => username === me;

const commit = (commitment) => {
  let part = stored(commitment);
  if (answered === commitment + me || part?.list) return; // a second list is never opened
  if (part?.name !== me) {
    const secret = lib.hex(crypto.getRandomValues(new Uint8Array(32)));
    part = { at: Date.now(), room, name: me, secret, share: lib.shareOf(commitment, me, secret) };
    store(commitment, part);
  }
  [answered, sentAt] = [commitment + me, Date.now()];
  memory.set(commitment, part);
  send({ do: "CommitLuck", commitment, share: part.share });
};

// Our share is not used.
const leftOut = (commitment, seat) => {
  const isDue = seat?.share || (answered === commitment + me && Date.now() - sentAt > PATIENCE_MS);
  if (seat?.share && seat.share !== stored(commitment)?.share) note("other", commitment);
  else if (isDue && !isNamed(me)) warn("leftOut", commitment);
  else {
    sentAt = Infinity;
    note("late", commitment);
  }
};

const open = (commitment, shown) => {
  const known = [stored(commitment), memory.get(commitment)];
  const seat = shown?.seats.find(isMine);
  const part = known.find((one) => one && one.share === seat?.share) ?? known[0];
  if (shown ? !seat : !part) return; // some only watch
  if (!shown) warn("leftOut", commitment);
  else if (known.some((one) => one?.list && one.list !== shown.list)) warn("twice", commitment);
  else if (seat.share !== part?.share) leftOut(commitment, seat);
  else if (lib.listOf(commitment, shown.game, shown.options, shown.seats) !== shown.list) warn("leftOut", commitment);
  else if (!part.isOver) {
    const { list, seats } = shown;
    if (!part.list) store(commitment, { ...part, at: Date.now(), room, list, seats });
    if (answered !== list) send({ do: "RevealLuck", list, secret: part.secret });
    answered = list;
  }
};

const blame = (commitment, { name, seats = [] }, { missing, gone }) => {
  const wasHere = memory.get(commitment)?.list; // leaving ends a page
  const isReason = ({ username, share }) => gone.includes(username) || (share && missing.includes(username));
  if (![...missing, ...gone].includes(FORMER) && !seats.some(isReason)) warn(hasSeenAll ? "thrown" : "away", commitment);
  if (missing.includes(name)) warn("slandered", commitment);
  else if (gone.includes(name) && wasHere) warn("removed", commitment, name !== me);
};

// Check what became of the last commitment.
const resolve = (commitment, begun, lost) => {
  const [about, part] = [last, stored(last) ?? {}];
  const isBegun = match === about;
  const found = lost.find((one) => (part.list ? one.list === part.list : one.commitment === about));
  if (commitment === about && !isBegun && !found) return;
  last = "";
  const seat = begun?.seats?.find(isMine);
  const plays = seat || (hasSeenAll && $("spectating").hidden);
  const isKept = part.list && isBegun && !found && lib.tried(() => lib.isKept(about, part, begun));
  const played = isKept && !commitment ? Date.now() : item(`luck:${about}`, isPart)?.played || 0; // by another tab
  if (found) {
    if (isBegun) warn("twice", about);
    else if (!commitment && hasSeenAll && plays) note("late", match ?? about);
    if (part.list) blame(about, part, found);
  } else if (isKept) {
    running = about;
    if (!played) note("brief", about);
  } else if (commitment && !isBegun && hasSeenAll) warn("thrown", about);
  else if (!part.list) {
    if ((isBegun || hasSeenAll) && plays) leftOut(about, isBegun && seat);
  } else if (isBegun || hasSeenAll) warn("leftOut", about);
  else if (Date.now() - part.at < AWAY_MS) warn("away", about);
  if (part.share) store(about, { ...stored(about), isOver: true, played });
  if (part.list && !played && countLost() > MOST_LOST) warn("thrown", about);
};

const prepare = async (script) => {
  lib = await import(script);
  texts = item("luck-texts", Boolean) ?? {};
  const known = inRoom();
  for (const [commitment, { alarm }] of known) if (alarm) warn(alarm, commitment);
  [last] = known.find(([, { isOver }]) => !isOver) ?? [];
  [running] = known.find(([, { played }]) => played) ?? [];
};
let ready;

export const look = async (answer) => {
  const shown = { ...$("luck").dataset };
  const name = $("table").dataset.me;
  room = location.pathname.toLowerCase().split("/").filter(Boolean).pop();
  if (!name || shown.parked) return;
  await (ready ??= prepare(shown.verify).catch((error) => { // offline
    ready = null;
    throw error;
  }));
  const isFirst = !before;
  const isSame = before === (before = name + JSON.stringify(shown));
  if (isSame && hasSeenAll) return;
  [me, send] = [name, answer];
  if (shown.leftOut) keep("luck-texts", texts = shown);
  const commitment = lib.isHash(shown.commitment) ? shown.commitment : "";
  const lost = (parsed(shown.voids, isVoids) ?? []).map((one) => ({ gone: one.missing, ...one }));
  const begun = parsed(shown.agreed, isBegun);
  const isNew = match !== (match = begun?.commitment);
  if (isNew && commitment) since = [];
  if (commitment && !since.length && !countLost()) $("luck-told").textContent = "";
  for (const one of lost.filter(({ list }) => !voids.has(list))) {
    voids.add(one.list);
    since.push(one);
    if (isFirst && one.list !== stored(last)?.list) continue; // it may be old
    for (const how of ["missing", "gone"]) if (one[how].length) $("luck-told").textContent += `${sentence(how, one[how])} `;
  }
  if (last) resolve(commitment, begun, lost);
  if (commitment && running) {
    const hasEnding = $("ending")?.hidden === false; // everybody sees it
    if (!hasEnding && Date.now() - stored(running)?.played < BRIEF_MS) note("brief", running);
    running = "";
  }
  const isSaid = [...warned].some((one) => one.endsWith(match));
  if (!commitment && !isFirst && !isSaid && begun?.seats?.some(isMine) && !stored(match)?.list) note("late", match);
  if (!commitment) since = [];
  if (commitment) {
    if (shown.list) open(commitment, parsed(shown.list, isListed));
    else commit(commitment);
    if (stored(commitment)) last = commitment;
  }
  hasSeenAll ||= !isSame;
};

export const again = () => { [answered, hasSeenAll] = ["", false]; };
