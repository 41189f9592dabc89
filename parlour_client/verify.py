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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, NoReturn

MOST_BYTES = 4 << 20
MOST_SEATS = 50
MOST_DRAWS = 20_000
MOST_NUMBERS = 200_000
"""Maximum numbers to compute: one for each draw, and one for each item of a shuffle."""
LARGEST = 1 << 32
LONGEST_SHUFFLE = 10_000
LONGEST_TEXT = 1_000
SHOWN = 20
"""Maximum differences printed."""

_HASH = re.compile("[0-9a-f]{64}")
_HALF = re.compile("[\ud800-\udfff]")

Value = int | list[int]


class NoRecordError(ValueError):
    """The data is no record of a match."""


@dataclass(frozen=True)
class Draw:
    """One draw: a number below `size`, or the permutation of a shuffle of `size` items."""

    act: int
    label: str
    size: int
    value: Value


@dataclass(frozen=True)
class Record:
    """A record that was read and whose size is limited. Its contents may still be wrong."""

    commitment: str
    server_seed: bytes
    seed: str
    nonces: Sequence[str]
    draws: Sequence[Draw]


def read(text: str) -> Record:
    """Return the record in this JSON text. Raise NoRecordError if it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        _refuse("it is not JSON")
    if not isinstance(found, dict):
        _refuse("it is not a JSON object")
    if type(found.get("version")) is not int or found["version"] != 1:
        _refuse("its version is not 1")
    nonces, draws = found.get("nonces"), found.get("draws")
    if not isinstance(nonces, list) or not 1 <= len(nonces) <= MOST_SEATS:
        _refuse(f"it does not have 1 to {MOST_SEATS} nonces")
    if not all(_is_text(nonce) for nonce in nonces):
        _refuse("a nonce is not a text, or is too long")
    if not isinstance(draws, list) or len(draws) > MOST_DRAWS:
        _refuse(f"it does not have at most {MOST_DRAWS} draws")
    read_draws = [_draw(at, drawn) for at, drawn in enumerate(draws, 1)]
    if any(one.act > after.act for one, after in pairwise(read_draws)):
        _refuse("its acts are not in order")
    if sum(_numbers(one) for one in read_draws) > MOST_NUMBERS:
        _refuse(f"it needs more than {MOST_NUMBERS} numbers")
    hashes = [_hash(found, name) for name in ("commitment", "serverSeed", "seed")]
    return Record(hashes[0], bytes.fromhex(hashes[1]), hashes[2], nonces, read_draws)


def differences(record: Record, commitment: str | None = None) -> Iterator[str]:
    """Yield a sentence for each value that does not follow from the server seed and the nonces.

    `commitment` is the one that you noted before the match.
    """
    recomputed = sha256(record.server_seed).hexdigest()
    for whose, shown in (("record's", record.commitment), ("noted", commitment)):
        if shown is not None and shown.strip().lower() != recomputed:
            yield f"The {whose} commitment is not that of the server seed, {recomputed}."
    seed = seed_of(record)
    if record.seed != seed.hex():
        yield f"The seed should be {seed.hex()}."
    act, words = 0, _words(seed, 0)
    for at, drawn in enumerate(record.draws, 1):
        if drawn.act != act:
            act, words = drawn.act, _words(seed, drawn.act)
        value = _again(words, drawn)
        if value != drawn.value:
            which = f"Draw {at} (act {act}, {json.dumps(drawn.label)}, size {drawn.size})"
            yield f"{which} should be {_short(value)}, not {_short(drawn.value)}."


def seed_of(record: Record) -> bytes:
    """Return the seed that follows from the server seed and the nonces, in seat order."""
    texts = [nonce.encode() for nonce in record.nonces]
    message = b"".join(len(text).to_bytes(2, "big") + text for text in texts)
    return hmac.digest(record.server_seed, message, "sha256")


def added(record: Record) -> int:
    """Return the number of nonces that players added. The server derived the others."""
    derived = (
        hmac.digest(record.server_seed, b"nonce" + bytes([seat]), "sha256").hex()
        for seat in range(len(record.nonces))
    )
    return sum(one != nonce for one, nonce in zip(derived, record.nonces, strict=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Check one record. Return 0 if it is right, 1 if it is wrong, and 2 if it is none."""
    parser = argparse.ArgumentParser(
        prog="python -m parlour_client.verify",
        description="Checks the random draws of a match from its record.",
    )
    parser.add_argument("file", help="the record, or - for standard input")
    parser.add_argument("--commitment", help="the commitment that you noted before the match")
    given = parser.parse_args(argv)
    try:
        record = read(_text(given.file))
    except (OSError, NoRecordError) as error:
        print(error, file=sys.stderr)
        return 2
    wrong = list(differences(record, given.commitment))
    for sentence in wrong[:SHOWN]:
        print(sentence)
    if len(wrong) > SHOWN:
        print(f"… and {len(wrong) - SHOWN} more.")
    if wrong:
        print("This record is wrong. Save it and show it to the others.")
        return 1
    print(f"All {len(record.draws)} draws follow from the server seed and the nonces.")
    print(f"Nonces added by players: {added(record)} of {len(record.nonces)}.")
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
        return data.decode()
    except UnicodeDecodeError:
        _refuse("it is not UTF-8")


def _is_text(found: Any) -> bool:
    """Whether this is a text of limited length without halves of characters."""
    return isinstance(found, str) and len(found) <= LONGEST_TEXT and not _HALF.search(found)


def _hash(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        _refuse(f"its {name} is not 64 hexadecimal digits")
    return value


def _draw(at: int, found: Any) -> Draw:
    match found:
        case [int(act), str(label), int(size), value] if (
            1 <= act < LARGEST and 1 <= size <= LARGEST and len(label) <= LONGEST_TEXT
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


def _words(seed: bytes, act: int) -> Iterator[int]:
    """Yield the 64-bit numbers of an act's stream."""
    for block in range(LARGEST):
        message = act.to_bytes(4, "big") + block.to_bytes(4, "big")
        part = hmac.digest(seed, message, "sha256")
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
