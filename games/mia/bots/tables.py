"""Strategy tables of `hard`: what to announce with which dice, and when to call.

They are stored in `tables.bin`. A probability is a byte, and the bytes of one distribution sum to
255. `make mia-tables` regenerates the file. `manage.py mia_tables` prints the maximum loss of each
table.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from games.mia.bots.odds import TOP
from games.mia.bots.rounds import Place, places, sayable
from games.mia.bots.strategies import Spread

FILE = Path(__file__).with_name("tables.bin")
WHOLE = 255
MOST = 10
"""Largest round that is solved. Larger rounds use the table of this size."""


@dataclass(frozen=True)
class Table:
    """A strategy for a round: probabilities by place, then by dice and announcement."""

    announce: Mapping[Place, tuple[Spread, ...]]
    answer: Mapping[Place, Spread]

    def says(self, place: Place, dice: int) -> Spread:
        """Return the probability of announcing each rank with these dice.

        The result is empty if every announcement loses.
        """
        if dice == TOP:
            return {TOP: 1.0}
        return self.announce[place][dice] if place in self.announce else {}

    def sees(self, place: Place, said: int) -> float:
        """Return the probability of calling this announcement at that place."""
        return self.answer[place].get(said, 1.0) if place in self.answer else 1.0


class Kept(msgspec.Struct):
    """Contents of the file of solved tables.

    `worth` is the share of rounds that a reply loses, by opponent strategy.
    """

    tables: dict[str, bytes]
    worth: dict[str, dict[str, float]]


def rules_key(little: bool, must_raise: bool, n: int) -> str:
    """Return the key of the equilibrium for n players under these rules."""
    rules = ("little" if little else "usual", "raise" if must_raise else "repeat")
    return "/".join((*rules, str(min(n, MOST))))


def reply_key(announcing: str, answering: str) -> str:
    """Return the key of the reply to an opponent with these two strategies, for announcing and for
    answering."""
    return f"{announcing}/{answering}"


@cache
def solved(little: bool, must_raise: bool, n: int) -> Table:
    """Return the equilibrium for n players."""
    return read(kept().tables[rules_key(little, must_raise, n)], must_raise)


@cache
def reply(name: str) -> Table:
    """Return a reply by its key, for two players under the usual rules."""
    return read(kept().tables[name], must_raise=True)


@cache
def kept() -> Kept:
    return msgspec.msgpack.decode(zlib.decompress(FILE.read_bytes()), type=Kept)


def read(data: bytes, must_raise: bool) -> Table:
    """Decode a table encoded by `written`."""
    announce: dict[Place, tuple[Spread, ...]] = {}
    answer: dict[Place, Spread] = {}
    rest = memoryview(data)
    for place in places(must_raise):
        said = sayable(place, must_raise)
        if not said:
            continue
        rows = []
        for _dice in range(TOP):
            row, rest = rest[: len(said)], rest[len(said) :]
            rows.append({s: part / WHOLE for s, part in zip(said, row, strict=True) if part})
        row, rest = rest[: len(said)], rest[len(said) :]
        announce[place] = tuple(rows)
        answer[place] = {s: part / WHOLE for s, part in zip(said, row, strict=True)}
    return Table(announce, answer)


def written(table: Table, must_raise: bool) -> bytes:
    """Encode a table.

    At each place, the announcements for all dice come first, then the probability of calling each
    announcement.
    """
    out = bytearray()
    for place in places(must_raise):
        said = sayable(place, must_raise)
        if not said:
            continue
        for dice in range(TOP):
            out += _in_bytes([table.says(place, dice).get(s, 0.0) for s in said])
        out += bytes(round(WHOLE * table.sees(place, s)) for s in said)
    return bytes(out)


def write(found: Kept) -> None:
    FILE.write_bytes(zlib.compress(msgspec.msgpack.encode(found), 9))


def _in_bytes(chances: list[float]) -> bytes:
    """Scale probabilities to integers that sum to 255.

    Round down, then add 1 to the values with the largest remainders.
    """
    exact = [WHOLE * chance for chance in chances]
    parts = [int(value) for value in exact]
    most = sorted(range(len(exact)), key=lambda at: parts[at] - exact[at])
    for at in most[: WHOLE - sum(parts)]:
        parts[at] += 1
    return bytes(parts)
