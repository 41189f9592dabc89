"""The lines that a server may send, and the ranking of the dice (docs/rules/mia.md §1, §2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Dialect = Literal["seed", "current"]

PLAIN = tuple(f"{high},{low}" for high in range(3, 7) for low in range(1, high))
DOUBLES = tuple(f"{n},{n}" for n in range(1, 7))
MIA = "2,1"
RANKING = (*PLAIN, *DOUBLES, MIA)

NUMBER = r"[1-9]\d*"
TOKEN = r"[^;,\s]+"
NAME = r"[^;,:\s]{1,20}"
NAMES = rf"{NAME}(?:,{NAME})*"
DICE = r"[1-6],[1-6]"
REASON = (
    "SEE_BEFORE_FIRST_ROLL|DID_NOT_TAKE_TURN|INVALID_TURN|DID_NOT_ANNOUNCE|ANNOUNCED_LOSING_DICE"
    "|LIED_ABOUT_MIA|MIA|CAUGHT_BLUFFING|SEE_FAILED"
)
SCORES = rf"(?:{NAME}:-?\d+(?:,{NAME}:-?\d+)*)?"

COMMON: dict[str, tuple[str, ...]] = {
    "REGISTERED": (),
    "YOUR TURN": (TOKEN,),
    "PLAYER ROLLS": (NAME,),
    "ROLLED": (DICE, TOKEN),
    "ANNOUNCED": (NAME, DICE),
    "PLAYER WANTS TO SEE": (NAME,),
    "ACTUAL DICE": (DICE,),
    "PLAYER LOST": (NAMES, REASON),
    "SCORE": (SCORES,),
}
SHAPES: dict[Dialect, dict[str, tuple[str, ...]]] = {
    "seed": {
        **COMMON,
        "ROUND STARTING": (NUMBER, TOKEN),
        "ROUND STARTED": (NAMES,),
        "ROUND CANCELED": ("no players|only one player",),
    },
    "current": {
        **COMMON,
        "ROUND STARTING": (TOKEN,),
        "ROUND STARTED": (NUMBER, NAMES),
        "ROUND CANCELED": ("NO_PLAYERS|ONLY_ONE_PLAYER",),
    },
}
NOBODY = ("no players", "NO_PLAYERS")


@dataclass(frozen=True)
class Line:
    """A line of the protocol: its first field, and the other fields."""

    kind: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return ";".join((self.kind, *self.fields))

    @property
    def names(self) -> list[str]:
        """Names in ROUND STARTED (last field) or PLAYER LOST (first field)."""
        return self.fields[0 if self.kind == "PLAYER LOST" else -1].split(",")

    @property
    def points(self) -> dict[str, int]:
        """The points of a SCORE, by name."""
        entries = [entry.split(":") for entry in self.fields[0].split(",") if entry]
        return {name: int(points) for name, points in entries}


def parse(text: str, dialect: Dialect) -> Line | None:
    """Parse a line. Return None if it is not in the protocol. REJECTED may have reasons."""
    kind, *fields = text.split(";")
    if kind == "REJECTED":
        return Line(kind, tuple(fields))
    shape = SHAPES[dialect].get(kind)
    if shape is None or len(shape) != len(fields):
        return None
    fits = all(re.fullmatch(each, field) for each, field in zip(shape, fields, strict=True))
    return Line(kind, tuple(fields)) if fits else None


def same(one: Line, other: Line) -> bool:
    """Whether two lines are equal. The order is ignored if it is free."""
    if one.kind != other.kind:
        return False
    if one.kind == "SCORE":
        return one.points == other.points
    if one.kind == "PLAYER LOST":
        return sorted(one.names) == sorted(other.names) and one.fields[1] == other.fields[1]
    return one == other


def answer(text: str) -> tuple[list[str], str]:
    """Return the fields of a player's line and the token at its end, or "" if there is no token."""
    for end in ("\r\n", "\n"):
        if text.endswith(end):
            text = text.removesuffix(end)
            break
    *fields, token = text.split(";")
    return (fields, token) if fields else ([token], "")


def dice_of(text: str) -> str | None:
    """Return dice in the protocol's form with the larger die first, or None if they are not
    dice.
    """
    if not re.fullmatch(DICE, text):
        return None
    return ",".join(sorted(text.split(","), reverse=True))


def higher(one: str, than: str | None) -> bool:
    """Whether `one` ranks above `than`. This is always true if `than` is None."""
    return than is None or RANKING.index(one) > RANKING.index(than)


def shortened(text: str, most: int = 90) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "nobody"
