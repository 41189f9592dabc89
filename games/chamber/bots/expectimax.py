"""Exact search of a chamber between the last two players, over all choices and orders of shells.

The state is public, except for peeked shells, and a player who peeks also fires that shell. The
search deepens shell by shell up to a maximum number of positions. Beyond this depth, positions are
valued by lives and items.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import NamedTuple

from games.chamber.rules.state import Item

KINDS: tuple[Item, ...] = (
    "skip",
    "double_damage",
    "chamber_check",
    "quickshot",
    "add_life",
    "steal",
)
STEAL = KINDS.index("steal")
LIFE = KINDS.index("add_life")
CHECK = KINDS.index("chamber_check")
A_LIFE = 0.62
"""Log odds of winning per extra life, fitted to 6,000 matches of `normal` bots."""
AN_ITEM = 0.3
"""Value of an item beyond the search depth, measured in lives."""


class Side(NamedTuple):
    """One of the two players: lives, and the number of items for each of KINDS."""

    lives: int
    items: tuple[int, ...]

    def without(self, kind: int) -> Side:
        return Side(self.lives, (*self.items[:kind], self.items[kind] - 1, *self.items[kind + 1 :]))


class Position(NamedTuple):
    """The chamber from the point of view of `me`, the player whose turn it is.

    `known` is whether the next shell is live, or None if `me` does not know.
    """

    live: int
    blank: int
    me: Side
    other: Side
    known: bool | None = None
    fired: bool = False
    shots: int = 1
    quickshot: bool = False
    double: bool = False
    skipped: bool = False
    """Whether the opponent's next turn is skipped."""

    @property
    def left(self) -> int:
        return self.live + self.blank

    @property
    def danger(self) -> float:
        return self.live / self.left if self.known is None else float(self.known)


class Choice(NamedTuple):
    """A choice: use an item, steal an item and use it, or shoot oneself or the opponent."""

    what: str
    kind: int = -1


class TooMuch(Exception):
    """The search has exceeded its budget of positions."""


class Search:
    """A search of fixed depth, in shells. `budget` is the maximum number of positions."""

    def __init__(self, budget: int) -> None:
        self.seen = 0
        self._budget = budget
        self._values: dict[tuple[Position, int], float] = {}

    def weighed(self, at: Position, shells: int) -> list[tuple[Choice, float]]:
        """Return every choice with its probability of winning the match."""
        found: list[tuple[Choice, float]] = []
        if not at.fired:
            for choice, after in _uses(at):
                found.append((choice, self._used(after, choice.kind, shells)))
                if choice == Choice("use", LIFE):  # never worse than the alternatives
                    return found
        for what in ("other", "me"):
            found.append((Choice(what), self._shot(at, what == "me", shells)))
        return found

    def _value(self, at: Position, shells: int) -> float:
        key = (at, shells)
        if key not in self._values:
            self.seen += 1
            if self.seen > self._budget:
                raise TooMuch
            self._values[key] = max(value for _, value in self.weighed(at, shells))
        return self._values[key]

    def _used(self, after: Position, kind: int, shells: int) -> float:
        if kind != CHECK:
            return self._value(after, shells)
        danger = after.danger
        seen = (self._value(after._replace(known=live), shells) for live in (True, False))
        return sum(chance * value for chance, value in zip((danger, 1 - danger), seen, strict=True))

    def _shot(self, at: Position, me: bool, shells: int) -> float:
        danger, value = at.danger, 0.0
        if danger > 0:
            value += danger * self._hit(at, me, True, shells)
        if danger < 1:
            value += (1 - danger) * self._hit(at, me, False, shells)
        return value

    def _hit(self, at: Position, me: bool, live: bool, shells: int) -> float:
        hurt = (1 + at.double) * live
        mine = at.me._replace(lives=at.me.lives - hurt * me)
        theirs = at.other._replace(lives=at.other.lives - hurt * (not me))
        if mine.lives <= 0 or theirs.lives <= 0:
            return float(mine.lives > 0)
        free = me and not live
        after = at._replace(
            live=at.live - live,
            blank=at.blank - (not live),
            me=mine,
            other=theirs,
            known=None,
            double=False,
            fired=at.fired or not free,
            shots=at.shots - (not free),
        )
        if after.left == 0 or shells == 1:
            return _estimate(after)
        if after.shots > 0:
            return self._value(after, shells - 1)
        if at.skipped:
            return self._value(Position(after.live, after.blank, mine, theirs), shells - 1)
        return 1 - self._value(Position(after.live, after.blank, theirs, mine), shells - 1)


def best(at: Position, budget: int) -> list[tuple[Choice, float]]:
    """Return every choice with its probability of winning, searched as deeply as the budget allows.

    If the budget is too small, return an empty list.
    """
    found: list[tuple[Choice, float]] = []
    for shells in range(1, at.left + 1):
        search = Search(budget)
        try:
            found = search.weighed(at, shells)
        except TooMuch:
            break
        budget -= search.seen
    return found


def _uses(at: Position) -> Iterator[tuple[Choice, Position]]:
    """Yield each useful item with the position after its use. An extra life comes first."""
    for kind in (LIFE, *(kind for kind in range(STEAL) if kind != LIFE)):
        if not _is_useful(at, kind):
            continue
        if at.me.items[kind]:
            yield Choice("use", kind), _effect(at._replace(me=at.me.without(kind)), kind)
        if at.me.items[STEAL] and at.other.items[kind]:
            mine, theirs = at.me.without(STEAL), at.other.without(kind)
            yield Choice("steal", kind), _effect(at._replace(me=mine, other=theirs), kind)


def _is_useful(at: Position, kind: int) -> bool:
    match KINDS[kind]:
        case "chamber_check":
            return at.known is None and 0 < at.danger < 1
        case "double_damage":
            return not at.double and at.danger > 0
        case "quickshot":
            return not at.quickshot and at.left > 1
        case "skip":
            return not at.skipped and at.left > 1
        case _:
            return True


def _effect(at: Position, kind: int) -> Position:
    match KINDS[kind]:
        case "add_life":
            return at._replace(me=at.me._replace(lives=at.me.lives + 1))
        case "double_damage":
            return at._replace(double=True)
        case "quickshot":
            return at._replace(quickshot=True, shots=2)
        case "skip":
            return at._replace(skipped=True)
        case _:
            return at


def _estimate(at: Position) -> float:
    """Estimate the probability of winning.

    Items do not count if the chamber is empty, because the next round replaces them.
    """
    ahead = float(at.me.lives - at.other.lives)
    if at.left:
        ahead += AN_ITEM * (sum(at.me.items) - sum(at.other.items))
    return 1 / (1 + exp(-A_LIFE * ahead))
