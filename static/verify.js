// Checks the draws of a match from its record, like `parlour_client/verify.py` (`docs/fairness.md`).
const MOST_BYTES = 4 << 20;
export const MOST_SEATS = 50;
const MOST_DRAWS = 20000;
const MOST_NUMBERS = 200000; // in draws
const LARGEST = 2 ** 32;
const LONGEST_SHUFFLE = 10000;
const LONGEST_TEXT = 1000;
const DEEPEST = 8; // brackets inside brackets
const LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

export const tried = (get) => {
  try {
    return get();
  } catch {
    return null;
  }
};

// `crypto.subtle` is missing on plain http.
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const K = primes.map((p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const turn = (x, n) => (x >>> n) | (x << (32 - n));

export const sha256 = (message) => {
  const data = new DataView(new ArrayBuffer(((message.length + 8 >> 6) + 1) << 6));
  message.forEach((byte, i) => data.setUint8(i, byte));
  data.setUint8(message.length, 0x80);
  data.setUint32(data.byteLength - 4, message.length << 3);
  const state = [...START];
  const w = new Int32Array(64);
  for (let at = 0; at < data.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = i < 16 ? data.getInt32(at + 4 * i)
        : w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  state.forEach((value, i) => data.setInt32(4 * i, value));
  return new Uint8Array(data.buffer, 0, 32);
};

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hmac = (key, message) => {
  const pad = (mask) => Uint8Array.from({ length: 64 }, (_, i) => key[i] ^ mask);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
};
const utf8 = (text) => new TextEncoder().encode(text);
const number = (value, size) => Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

const counted = (text) => joined(number(utf8(text).length, 2), utf8(text));
const tagged = (tag, ...parts) => joined(utf8(`parlour/2 ${tag}\0`), ...parts);
const given = (value) => (value ? joined([1], unhex(value)) : new Uint8Array(33));
const answers = (list, seats) => [unhex(list), ...seats.map(({ secret }) => given(secret)), new Uint8Array(32)];
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
};

export const shareOf = (commitment, username, secret) =>
  hex(sha256(tagged("share", unhex(commitment), counted(username), unhex(secret))));

export const listOf = (commitment, game, options, seats) => hex(sha256(tagged(
  "list", unhex(commitment), counted(game), sha256(utf8(canonical(options))), new Uint8Array(48), number(seats.length, 2),
  ...seats.map(({ username, share }) => joined(counted(username), given(share))),
)));

export const codeOf = (list, seats) => {
  let rest = BigInt(`0x${hex(sha256(tagged("code", ...answers(list, seats))))}`);
  let code = "";
  for (let i = 0; i < 7; i++, rest /= 31n) code += LETTERS[rest % 31n];
  return `${code.slice(0, 3)}-${code.slice(3)}`;
};

const isOpened = (commitment, shares, seats) => shares.length === seats.length &&
  shares.every(({ username, share }, i) => (share ?? null) === (seats[i].secret ? shareOf(commitment, username, seats[i].secret) : null));

// Whether a match began with what a page agreed to.
export const isKept = (commitment, part, { list, code, secrets = [], seats = secrets.map((secret) => ({ secret })) }) =>
  list === part.list && code === codeOf(list, seats) && isOpened(commitment, part.seats ?? [], seats);

// A name that has changed since is null.
const isKnown = ({ username }) => username !== null;
const isAgreed = ({ commitment, game, options, seats, list, code }) =>
  isOpened(commitment, seats.filter(isKnown), seats.filter(isKnown)) && code === codeOf(list, seats) &&
  (!seats.every(isKnown) || list === listOf(commitment, game, options, seats));

export const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isText = (value) => typeof value === "string" && [...value].length <= LONGEST_TEXT && !/[\ud800-\udfff]/u.test(value);
const isBetween = (value, least, most) => Number.isInteger(value) && least <= value && value <= most;
const isList = (value, most, is) => Array.isArray(value) && isBetween(value.length, 1, most) && value.every(is);
const isObject = (value) => typeof value === "object" && value !== null;
const isShallow = (value, depth = DEEPEST) =>
  !isObject(value) || (depth > 0 && Object.values(value).every((one) => isShallow(one, depth - 1)));
const isPlain = (value) => {
  if (!isObject(value)) return value === null || typeof value === "boolean" || Number.isSafeInteger(value) || isText(value);
  return !/[^\0-\x7f]/.test(Object.keys(value)) && Object.values(value).every(isPlain);
};
export const isOptions = (value) => isObject(value) && !Array.isArray(value) && isShallow(value) && isPlain(value);
const isSeat = (seat) => {
  const { username, share = null, secret = null } = seat ?? {};
  return (username === null || isText(username)) && ((share === null && secret === null) || (isHash(share) && isHash(secret)));
};
const isDraw = (drawn) => {
  if (!Array.isArray(drawn) || drawn.length !== 4) return false;
  const [act, label, size, value] = drawn;
  if (!isBetween(act, 1, LARGEST - 1) || !isText(label) || !isBetween(size, 1, LARGEST)) return false;
  return Array.isArray(value) ? value.length === size && isList(value, LONGEST_SHUFFLE, Number.isInteger) : Number.isInteger(value);
};
export const isAgreement = ({ seats, list, code }) => isList(seats, MOST_SEATS, isSeat) && isHash(list) && isText(code);

export const read = (text) => {
  if (utf8(text).length > MOST_BYTES) return null;
  const found = tried(() => JSON.parse(text));
  const { version, commitment, serverSeed, seed, game, options, nonces, draws } = found ?? {};
  if (!isShallow(found) || ![commitment, serverSeed, seed].every(isHash)) return null;
  const isMixed = version === 2 && isText(game) && isOptions(options) && isAgreement(found);
  if (!isMixed && !(version === 1 && isList(nonces, MOST_SEATS, isText))) return null;
  if (!Array.isArray(draws) || draws.length > MOST_DRAWS || !draws.every(isDraw)) return null;
  if (draws.some(([act], i) => i && act < draws[i - 1][0])) return null;
  return draws.reduce((sum, [, , , value]) => sum + (value.length ?? 1), 0) > MOST_NUMBERS ? null : found;
};

function* stream(seed, message) {
  for (let block = 0; ; block++) {
    const part = new DataView(hmac(seed, joined(message, number(block, 4))).buffer);
    for (const at of [0, 8, 16, 24]) yield part.getBigUint64(at);
  }
}
const below = (words, size) => {
  const s = BigInt(size);
  for (;;) {
    const { value } = words.next();
    if (value < (2n ** 64n / s) * s) return Number(value % s);
  }
};
const again = (words, size, value) => {
  if (!Array.isArray(value)) return below(words, size);
  const places = Array.from(value, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = below(words, i + 1);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places;
};

export const check = (record) => {
  const { version, commitment, serverSeed, seed, nonces, list, seats, draws } = record;
  const key = unhex(serverSeed);
  const own = hmac(key, version === 2 ? tagged("seed", ...answers(list, seats)) : joined(...nonces.map(counted)));
  const counts = new Map();
  let [wrong, last, words] = [0, 0, null];
  for (const [act, label, size, value] of draws) {
    if (version === 2) {
      const count = counts.get(label) ?? 0;
      counts.set(label, count + 1);
      words = stream(own, tagged("draw", counted(label), number(count, 4)));
    } else if (act !== last) words = stream(own, number(act, 4));
    last = act;
    if (`${again(words, size, value)}` !== `${value}`) wrong++;
  }
  return { isCommitted: hex(sha256(key)) === commitment && hex(own) === seed && (version === 1 || isAgreed(record)), wrong };
};

// Return the names of the sentences to show.
const findings = ({ commitment, draws, seats = [], ...record }, { isCommitted, wrong }) => {
  const found = isCommitted ? [] : ["uncommitted"];
  if (wrong || isCommitted) found.push((wrong ? "wrong" : "right") + ((wrong || draws.length) === 1 ? "One" : ""));
  const part = tried(() => JSON.parse(localStorage.getItem(`luck:${commitment}`)));
  if (tried(() => isKept(commitment, part, { ...record, seats }))) return [...found, "ours"];
  if (!seats.every(isKnown)) found.push("renamed");
  return [...found, !isHash(part?.share) ? "unseen" : part.list ? "another" : "unused"];
};

const PROBLEMS = ["uncommitted", "wrong", "wrongOne", "another", "none", "lost"];
export const show = async (button) => {
  const said = button.closest(".check-luck").querySelector("output");
  const say = (names, count) => said.replaceChildren(...names.map((name) => {
    const line = document.createElement("p");
    line.textContent = button.dataset[name].replace("#", count);
    line.classList.toggle("problem", PROBLEMS.includes(name));
    return line;
  }));
  button.disabled = true;
  said.replaceChildren();
  try {
    const answer = await fetch(button.dataset.record, { cache: "no-store" });
    const data = answer.ok && await answer.arrayBuffer();
    const record = data && tried(() => read(new TextDecoder("utf-8", { fatal: true }).decode(data)));
    if (record) {
      const checked = check(record);
      say(findings(record, checked), checked.wrong || record.draws.length);
    } else say([data ? "none" : "lost"]);
  } catch {
    say(["lost"]);
  } finally {
    button.disabled = false;
  }
};
