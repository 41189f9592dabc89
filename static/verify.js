// Checks the random draws of a match from its record, without any code of the server.
// `docs/fairness.md` describes the algorithm. `parlour_client/verify.py` checks the same.
const MOST_CHARACTERS = 4 << 20;
const MOST_SEATS = 50;
const MOST_DRAWS = 20000;
const MOST_NUMBERS = 200000; // one for each draw, and one for each item of a shuffle
const LARGEST = 2 ** 32;
const LONGEST_SHUFFLE = 10000;
const LONGEST_TEXT = 1000;
const DEEPEST = 5; // lists and objects in the options
const LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

// --- SHA-256 and HMAC (`crypto.subtle` is missing on plain http) ----------------------------------

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const K = primes.map((p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const turn = (x, n) => (x >>> n) | (x << (32 - n));

export const sha256 = (message) => {
  const padded = new Uint8Array(((message.length + 8 >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(at + 4 * i);
      else {
        const [x, y] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => digest.setInt32(4 * i, value));
  return new Uint8Array(digest.buffer);
};

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hmac = (key, message) => { // keys have 32 bytes here
  const pad = (mask) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
};
const utf8 = (text) => new TextEncoder().encode(text);
const number = (value, size) => Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

// --- what is agreed before a match of version 2 ----------------------------------------------------

const counted = (text) => joined(number(utf8(text).length, 2), utf8(text));
const tagged = (tag, ...parts) => joined(utf8(`parlour/2 ${tag}\0`), ...parts);
const given = (value) => (value ? joined([1], unhex(value)) : new Uint8Array(33));
const answers = (list, seats) => [unhex(list), ...seats.map(({ secret }) => given(secret)), new Uint8Array(32)];
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
};

export const shareOf = (commitment, username, secret) =>
  hex(sha256(tagged("share", unhex(commitment), counted(username), unhex(secret))));

export const listOf = (commitment, game, options, seats) => {
  const shares = seats.map(({ username, share }) => joined(counted(username), given(share)));
  const head = [unhex(commitment), counted(game), sha256(utf8(canonical(options))), new Uint8Array(48)];
  return hex(sha256(tagged("list", ...head, number(seats.length, 2), ...shares)));
};

export const codeOf = (list, seats) => {
  let rest = BigInt(`0x${hex(sha256(tagged("code", ...answers(list, seats))))}`);
  let code = "";
  for (let i = 0; i < 7; i++, rest /= 31n) code += LETTERS[Number(rest % 31n)];
  return `${code.slice(0, 3)}-${code.slice(3)}`;
};

// A name that has changed since is null. Then the list cannot be recomputed.
const isRenamed = ({ username }) => username === null;
export const isAgreed = ({ commitment, game, options, seats, list, code }) =>
  seats.every(({ share, secret }) => !share === !secret) &&
  seats.every((seat) => !seat.secret || isRenamed(seat) || seat.share === shareOf(commitment, seat.username, seat.secret)) &&
  (seats.some(isRenamed) || list === listOf(commitment, game, options, seats)) && code === codeOf(list, seats);

// Put in the names of the list that this page has opened. Otherwise a server could report a name as
// changed, and exchange that seat's secret.
export const namedBy = (names, seats) =>
  seats.map((seat, at) => ({ ...seat, username: (Array.isArray(names) ? names[at] : null) ?? seat.username }));

// --- the record -----------------------------------------------------------------------------------

export const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isText = (value) => typeof value === "string" && value.length <= LONGEST_TEXT && !/[\ud800-\udfff]/u.test(value);
const isBetween = (value, least, most) => Number.isInteger(value) && least <= value && value <= most;
const isList = (value, most, is) => Array.isArray(value) && isBetween(value.length, 1, most) && value.every(is);
export const isPlain = (value, depth = DEEPEST) => {
  if (value === null || typeof value === "boolean" || Number.isSafeInteger(value)) return true;
  if (typeof value !== "object") return isText(value);
  const isKnown = Array.isArray(value) || Object.keys(value).every((key) => /^[\0-\x7f]*$/.test(key));
  return isKnown && depth > 0 && Object.values(value).every((one) => isPlain(one, depth - 1));
};
const isSeat = (seat) => {
  const { username, share = null, secret = null } = seat ?? {};
  return (username === null || isText(username)) && ((share === null && secret === null) || (isHash(share) && isHash(secret)));
};
const isDraw = (drawn) => {
  if (!Array.isArray(drawn) || drawn.length !== 4) return false;
  const [act, label, size, value] = drawn;
  if (!isBetween(act, 1, LARGEST - 1) || !isText(label) || !isBetween(size, 1, LARGEST)) return false;
  if (!Array.isArray(value)) return Number.isInteger(value);
  return value.length === size && size <= LONGEST_SHUFFLE && value.every(Number.isInteger);
};
export const isAgreement = ({ game, options, seats, list, code }) =>
  isText(game) && options?.constructor === Object && isPlain(options) && isList(seats, MOST_SEATS, isSeat) &&
  isHash(list) && typeof code === "string" && new RegExp(`^[${LETTERS}]{3}-[${LETTERS}]{4}$`).test(code);

// Return the record in a JSON text, or null if there is none.
export const read = (text) => {
  if (text.length > MOST_CHARACTERS) return null;
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  const { version, commitment, serverSeed, seed, nonces, draws } = found ?? {};
  if (![commitment, serverSeed, seed].every(isHash)) return null;
  if (version === 1 ? !isList(nonces, MOST_SEATS, isText) : version !== 2 || !isAgreement(found)) return null;
  if (!Array.isArray(draws) || draws.length > MOST_DRAWS || !draws.every(isDraw)) return null;
  if (draws.some(([act], i) => i && act < draws[i - 1][0])) return null;
  const numbers = draws.reduce((sum, [, , size, value]) => sum + (Array.isArray(value) ? size : 1), 0);
  return numbers > MOST_NUMBERS ? null : found;
};

// --- the draws ------------------------------------------------------------------------------------

function* stream(seed, message) {
  for (let block = 0; ; block++) {
    const part = new DataView(hmac(seed, joined(message, number(block, 4))).buffer);
    for (const at of [0, 8, 16, 24]) yield part.getBigUint64(at);
  }
}
const below = (words, size) => {
  const s = BigInt(size);
  const limit = (2n ** 64n / s) * s;
  for (;;) {
    const { value } = words.next();
    if (value < limit) return Number(value % s);
  }
};
const again = (words, size, value) => {
  if (!Array.isArray(value)) return below(words, size);
  const places = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = below(words, i + 1);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places;
};
// Return a function that returns the stream of the next draw.
const streams = (version, seed) => {
  if (version === 2) {
    const counts = new Map();
    return (act, label) => {
      const count = counts.get(label) ?? 0;
      counts.set(label, count + 1);
      return stream(seed, tagged("draw", counted(label), number(count, 4)));
    };
  }
  let [last, words] = [0, null];
  return (act) => {
    if (act !== last) [last, words] = [act, stream(seed, number(act, 4))];
    return words;
  };
};

// Return whether the seeds are those that were agreed on, and the number of draws that do not match.
export const check = (record) => {
  const { version, commitment, serverSeed, seed, nonces, list, seats, draws } = record;
  const key = unhex(serverSeed);
  const message = version === 2 ? tagged("seed", ...answers(list, seats)) : joined(...nonces.map(counted));
  const own = hmac(key, message);
  const next = streams(version, own);
  let wrong = 0;
  for (const [act, label, size, value] of draws) {
    if (String(again(next(act, label), size, value)) !== String(value)) wrong++;
  }
  const isCommitted = hex(sha256(key)) === commitment && hex(own) === seed && (version === 1 || isAgreed(record));
  return { isCommitted, wrong };
};

// --- the button -----------------------------------------------------------------------------------

const kept = (read) => { // browsers may store nothing, or something else
  try {
    return read();
  } catch {
    return null;
  }
};
// Return what this browser remembers of a match of version 2 (static/luck.js).
const remembered = (record) => {
  const { commitment, list, code } = record;
  const part = kept(() => JSON.parse(localStorage.getItem(`luck:${commitment}`)));
  const seats = namedBy(part?.names, record.seats);
  const found = seats.some(isRenamed) ? ["renamed"] : [];
  if (!isHash(part?.share)) return [...found, "unseen"];
  if (!part.list) return [...found, "unused"];
  const isOurs = part.list === list && seats.some(({ secret }) => secret === part.secret) && (part.code ?? code) === code;
  return [...found, isOurs && isAgreed({ ...record, seats }) ? "ours" : "another"];
};

const PROBLEMS = ["uncommitted", "wrong", "wrongOne", "another", "none", "lost"];
// Return the names of the sentences to show: what the record says, then what this page remembers.
const findings = (record) => {
  const { isCommitted, wrong } = check(record);
  const one = (name, count) => (count === 1 ? `${name}One` : name);
  const found = [];
  if (!isCommitted) found.push("uncommitted");
  if (wrong) found.push(one("wrong", wrong));
  if (!found.length) found.push(one("right", record.draws.length));
  if (record.version === 2) {
    found.push(...remembered(record));
    return { found, count: wrong || record.draws.length };
  }
  const nonce = kept(() => sessionStorage.getItem(`luck:${record.commitment}`));
  if (nonce === null) found.push("unseen");
  else found.push(record.nonces.includes(nonce) ? "seen" : "leftOut");
  return { found, count: wrong || record.draws.length };
};

// Check the record of the button's match, and show the result beside the button.
export const show = async (button) => {
  const said = button.closest(".check-luck").querySelector("output");
  const say = (names, count) => {
    said.replaceChildren(...names.map((name) => {
      const line = document.createElement("p");
      line.textContent = button.dataset[name].replace("#", count);
      line.classList.toggle("problem", PROBLEMS.includes(name));
      return line;
    }));
  };
  button.disabled = true;
  said.replaceChildren();
  try {
    const answer = await fetch(button.dataset.record, { cache: "no-store" });
    const record = answer.ok ? read(await answer.text()) : undefined;
    if (!record) say([record === null ? "none" : "lost"], 0);
    else {
      const { found, count } = findings(record);
      say(found, count);
    }
  } catch {
    say(["lost"], 0);
  } finally {
    button.disabled = false;
  }
};
