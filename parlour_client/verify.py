"""`python -m parlour_client.verify FILE`: check the random draws of a match from its record.

The page of a finished match offers the record (*Save the record*). `docs/fairness.md` describes how
the draws follow from it. This file needs only the standard library and no code of the server.
"""

from __future__ import annotations

import argparse
import hmac
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

MOST_BYTES = 4 << 20
MOST_SEATS = 50
MOST_DRAWS = 20_000
MOST_NUMBERS = 200_000
"""Maximum numbers to compute: one for each draw, and one for each item of a shuffle."""
LARGEST = 1 << 32
LONGEST_SHUFFLE = 10_000
LONGEST_TEXT = 1_000
DEEPEST = 8
"""Maximum depth of lists and objects inside each other."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
SHOWN = 20
"""Maximum differences printed."""

_HASH = re.compile("[0-9a-f]{64}")
_HALF = re.compile("[\ud800-\udfff]")

Value = int | list[int]
_NOTHING = bytes(32)


class NoRecordError(ValueError):
    """The data is not a record of a match."""


@dataclass(frozen=True)
class Draw:
    """One draw: a number below `size`, or the permutation of a shuffle of `size` items."""

    act: int
    label: str
    size: int
    value: Value


class Share(NamedTuple):
    """What a seat added to the luck in version 2, in hex. Both are None for a silent seat."""

    username: str | None
    """None if the name has changed since."""
    share: str | None = None
    secret: str | None = None


@dataclass(frozen=True)
class Record:
    """A record that was read and whose size is limited. Its contents may still be wrong."""

    commitment: str
    server_seed: bytes
    seed: str
    draws: Sequence[Draw]
    nonces: Sequence[str] = ()
    """Version 1: what the players added, in the order of their seats."""
    agreed: Agreed | None = None
    """Version 2: what the players agreed on."""


@dataclass(frozen=True)
class Agreed:
    """Version 2: what everybody was shown before the match began."""

    game: str
    options: Mapping[str, Any]
    seats: Sequence[Share]
    listed: str
    code: str


def read(text: str) -> Record:
    """Return the record in this JSON text. Raise NoRecordError if it contains no record."""
    if len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        _refuse(f"it has more than {MOST_BYTES} bytes")
    try:
        found = json.loads(text, parse_int=_double, parse_float=_double, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse("it is not JSON")
    if not _is_shallow(found):
        _refuse(f"it has more than {DEEPEST} lists and objects inside each other")
    if not isinstance(found, dict):
        _refuse("it is not a JSON object")
    if type(found.get("version")) is not int or found["version"] not in (1, 2):
        _refuse("its version is not 1 or 2")
    draws = found.get("draws")
    if not isinstance(draws, list) or len(draws) > MOST_DRAWS:
        _refuse(f"it does not have at most {MOST_DRAWS} draws")
    read_draws = [_draw(at, drawn) for at, drawn in enumerate(draws, 1)]
    if any(one.act > after.act for one, after in pairwise(read_draws)):
        _refuse("its acts are not in order")
    if sum(_numbers(one) for one in read_draws) > MOST_NUMBERS:
        _refuse(f"it needs more than {MOST_NUMBERS} numbers")
    commitment, server_seed, seed = (
        _hash(found, name) for name in ("commitment", "serverSeed", "seed")
    )
    key = bytes.fromhex(server_seed)
    if found["version"] == 2:
        return Record(commitment, key, seed, read_draws, agreed=_agreed(found))
    return Record(commitment, key, seed, read_draws, nonces=_nonces(found.get("nonces")))


def _double(text: str) -> int | float:
    """Return a number as JavaScript reads it, so that both verifiers say the same."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def _is_shallow(found: Any, depth: int = DEEPEST) -> bool:
    if not isinstance(found, (dict, list)):
        return True
    parts = found.values() if isinstance(found, dict) else found
    return depth > 0 and all(_is_shallow(one, depth - 1) for one in parts)


def _nonces(found: Any) -> list[str]:
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_SEATS:
        _refuse(f"it does not have 1 to {MOST_SEATS} nonces")
    if not all(is_text(nonce) for nonce in found):
        _refuse("a nonce is not a text, or is too long")
    return found


def _agreed(found: dict[str, Any]) -> Agreed:
    game, options, seats = found.get("game"), found.get("options"), found.get("seats")
    if not isinstance(game, str) or not is_text(game):
        _refuse("it has no game")
    if not isinstance(options, dict) or not is_options(options):
        _refuse("its options are not those of a game")
    if not isinstance(seats, list) or not 1 <= len(seats) <= MOST_SEATS:
        _refuse(f"it does not have 1 to {MOST_SEATS} seats")
    code = found.get("code")
    if not isinstance(code, str) or not is_text(code):
        _refuse("it has no code")
    return Agreed(game, options, [_seat(one) for one in seats], _hash(found, "list"), code)


def _seat(found: Any) -> Share:
    if not isinstance(found, dict) or "username" not in found:
        _refuse("a seat has no username")
    if found["username"] is not None and not is_text(found["username"]):
        _refuse("a username is not a text, or is too long")
    share, secret = found.get("share"), found.get("secret")
    if share is None and secret is None:
        return Share(found["username"])
    return Share(found["username"], _hash(found, "share"), _hash(found, "secret"))


def is_options(found: Any) -> bool:
    """Whether these are options: texts, whole numbers, lists and objects with ASCII keys."""
    return isinstance(found, dict) and _is_shallow(found) and _is_plain(found)


def _is_plain(found: Any) -> bool:
    if isinstance(found, str):
        return is_text(found)
    if isinstance(found, dict):
        return all(key.isascii() for key in found) and all(map(_is_plain, found.values()))
    if isinstance(found, list):
        return all(map(_is_plain, found))
    return found is None or (isinstance(found, int) and abs(found) < 1 << 53)


def differences(
    record: Record, commitment: str | None = None, share: str | None = None, code: str | None = None
) -> Iterator[str]:
    """Yield a sentence for each value that does not follow from what was agreed.

    `commitment`, `share` and `code` are those that you noted before the match.
    """
    recomputed = sha256(record.server_seed).hexdigest()
    for whose, shown in (("record's", record.commitment), ("noted", commitment)):
        if shown is not None and shown.strip().lower() != recomputed:
            yield f"The {whose} commitment is not that of the server seed, {recomputed}."
    yield from _disagreements(record, share, code)
    seed = seed_of(record)
    if record.seed != seed.hex():
        yield f"The seed should be {seed.hex()}."
    counts: Counter[str] = Counter()
    act, words = 0, _words(seed, b"")
    for at, drawn in enumerate(record.draws, 1):
        if record.agreed is not None:
            words = _words(seed, _draw_message(drawn.label, counts[drawn.label]))
            counts[drawn.label] += 1
        elif drawn.act != act:
            act, words = drawn.act, _words(seed, drawn.act.to_bytes(4, "big"))
        value = _again(words, drawn)
        if value != drawn.value:
            which = f"Draw {at} (act {drawn.act}, {json.dumps(drawn.label)}, size {drawn.size})"
            yield f"{which} should be {_short(value)}, not {_short(drawn.value)}."


def _disagreements(record: Record, share: str | None, code: str | None) -> Iterator[str]:
    """Yield a sentence for each value that differs from what the players agreed on."""
    agreed = record.agreed
    if agreed is None:
        if share is not None or code is not None:
            yield "This match has no shares and no code, because its luck has version 1."
        return
    for one in agreed.seats:
        if one.secret is None or one.share is None or one.username is None:
            continue
        if one.share != share_of(record.commitment, one.username, one.secret):
            yield f"The share of {json.dumps(one.username)} is not that of the secret."
    if share is not None and share.strip().lower() not in [one.share for one in agreed.seats]:
        yield "The noted share is not on the list."
    if not are_renamed(agreed):
        listed = list_of(record.commitment, agreed.game, agreed.options, agreed.seats)
        if agreed.listed != listed:
            yield f"The list should be {listed}."
    own = code_of(agreed.listed, agreed.seats)
    for whose, shown in (("record's", agreed.code), ("noted", code and code.strip().upper())):
        if shown is not None and shown != own:
            yield f"The {whose} code should be {own}."


def are_renamed(agreed: Agreed) -> bool:
    """Whether the list cannot be recomputed, because a name has changed since."""
    return any(one.username is None for one in agreed.seats)


def share_of(commitment: str, username: str, secret: str) -> str:
    """Return the share with which this user commits to a secret (version 2)."""
    parts = bytes.fromhex(commitment), _counted(username), bytes.fromhex(secret)
    return sha256(_tagged("share", *parts)).hexdigest()


def list_of(commitment: str, game: str, options: Mapping[str, Any], seats: Sequence[Share]) -> str:
    """Return the hash of the list of shares, in the order of the seats (version 2)."""
    text = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    head = bytes.fromhex(commitment), _counted(game), sha256(text.encode()).digest(), bytes(48)
    shares = (_counted(one.username or "") + _given(one.share) for one in seats)
    return sha256(_tagged("list", *head, len(seats).to_bytes(2, "big"), *shares)).hexdigest()


def code_of(listed: str, seats: Sequence[Share]) -> str:
    """Return the code that everybody at the table sees (version 2)."""
    number = int.from_bytes(sha256(_tagged("code", *_answers(listed, seats))).digest(), "big")
    letters = [LETTERS[number // 31**at % 31] for at in range(7)]
    return f"{''.join(letters[:3])}-{''.join(letters[3:])}"


def seed_of(record: Record) -> bytes:
    """Return the seed that follows from the server seed and what the players added."""
    if record.agreed is not None:
        message = _tagged("seed", *_answers(record.agreed.listed, record.agreed.seats))
    else:
        message = b"".join(_counted(nonce) for nonce in record.nonces)
    return hmac.digest(record.server_seed, message, "sha256")


def _answers(listed: str, seats: Sequence[Share]) -> Iterator[bytes]:
    yield bytes.fromhex(listed)
    yield from (_given(one.secret) for one in seats)
    yield _NOTHING


def _given(value: str | None) -> bytes:
    return b"\0" + _NOTHING if value is None else b"\1" + bytes.fromhex(value)


def _draw_message(label: str, count: int) -> bytes:
    return _tagged("draw", _counted(label), count.to_bytes(4, "big"))


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"".join((b"parlour/2 ", tag.encode(), b"\0", *parts))


def _counted(text: str) -> bytes:
    """Return a text after the number of its bytes."""
    data = text.encode()
    return len(data).to_bytes(2, "big") + data


def added(record: Record) -> int:
    """Return the number of seats that added to the luck. The server derived the others' nonces."""
    if record.agreed is not None:
        return sum(one.secret is not None for one in record.agreed.seats)
    derived = (
        hmac.digest(record.server_seed, b"nonce" + bytes([seat]), "sha256").hex()
        for seat in range(len(record.nonces))
    )
    return sum(one != nonce for one, nonce in zip(derived, record.nonces, strict=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Check a file. Return 0 for a correct record, 1 for a wrong one, 2 if it is not a record."""
    parser = argparse.ArgumentParser(
        prog="python -m parlour_client.verify",
        description="Checks the random draws of a match from its record.",
    )
    parser.add_argument("file", help="the record, or - for standard input")
    parser.add_argument("--commitment", help="the commitment that you noted before the match")
    parser.add_argument("--share", help="the share that you sent before the match")
    parser.add_argument("--code", help="the code that you saw at the table, such as 5AU-D47R")
    given = parser.parse_args(argv)
    try:
        record = read(_text(given.file))
    except (OSError, NoRecordError) as error:
        print(error, file=sys.stderr)
        return 2
    wrong = list(differences(record, given.commitment, given.share, given.code))
    for sentence in wrong[:SHOWN]:
        print(sentence)
    if len(wrong) > SHOWN:
        print(f"… and {len(wrong) - SHOWN} more.")
    if wrong:
        print("This record is wrong. Save it and show it to the others.")
        return 1
    if record.agreed is None:
        print(f"All {len(record.draws)} draws follow from the server seed and the nonces.")
        print(f"Nonces added by players: {added(record)} of {len(record.nonces)}.")
    else:
        print(f"All {len(record.draws)} draws follow from what was agreed before the start.")
        print(f"Seats that added to the luck: {added(record)} of {len(record.agreed.seats)}.")
        print(f"Code: {record.agreed.code}")
        if are_renamed(record.agreed):
            print("A name has changed since then, so the list of shares cannot be recomputed.")
            if given.code is None:
                print("Pass the code that you saw at the table: without it, this proves little.")
    return 0


def _refuse(why: str) -> NoReturn:
    raise NoRecordError(f"This is no record of a match: {why}.")


def _text(file: str) -> str:
    if file == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with open(file, "rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        _refuse(f"it has more than {MOST_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("it is not UTF-8")


def is_text(found: Any) -> bool:
    """Whether this is a text of limited length without halves of characters."""
    return isinstance(found, str) and len(found) <= LONGEST_TEXT and not _HALF.search(found)


def is_hash(found: Any) -> bool:
    """Whether these are 32 bytes in hex."""
    return isinstance(found, str) and _HASH.fullmatch(found) is not None


def _hash(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not is_hash(value):
        _refuse(f"its {name} is not 64 hexadecimal digits")
    return value


def _draw(at: int, found: Any) -> Draw:
    match found:
        case [int(act), str(label), int(size), value] if (
            {type(act), type(size)} == {int}
            and 1 <= act < LARGEST
            and 1 <= size <= LARGEST
            and is_text(label)
        ):
            if type(value) is int or _is_shuffle(value, size):
                return Draw(act, label, size, value)
    _refuse(f"draw {at} is no number below 2^32 and no shuffle of up to {LONGEST_SHUFFLE} items")


def _is_shuffle(value: Any, size: int) -> bool:
    if not isinstance(value, list) or not len(value) == size <= LONGEST_SHUFFLE:
        return False
    return all(type(one) is int for one in value)


def _numbers(drawn: Draw) -> int:
    return 1 if isinstance(drawn.value, int) else drawn.size


def _short(value: Value) -> str:
    text = str(value)
    return text if len(text) < 100 else f"{text[:100]}…"


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    """Yield the 64-bit numbers of a stream."""
    for block in range(LARGEST):
        part = hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        for at in range(0, 32, 8):
            yield int.from_bytes(part[at : at + 8], "big")


def _again(words: Iterator[int], drawn: Draw) -> Value:
    if isinstance(drawn.value, int):
        return _number(words, drawn.size)
    places = list(range(drawn.size))
    for i in range(drawn.size - 1, 0, -1):
        j = _number(words, i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def _number(words: Iterator[int], size: int) -> int:
    limit = 2**64 // size * size
    return next(word for word in words if word < limit) % size


if __name__ == "__main__":
    sys.exit(main())
