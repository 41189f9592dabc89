"""A round of Mia as a tree small enough to be solved: what was said, whether once or twice.

A place of the tree is what a player who rolls has to beat. Behind it nothing is hidden: the dice
are rolled anew. With `mustRaise: false` the last announcement may be repeated once, and then has to
be beaten. Values are ranks, 0 to 20 (`odds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.contract.data import Data
from games.mia.bots.odds import NOTHING, TOP


class Place(Data, frozen=True):
    """What has to be beaten: the rank said last, and whether it was said twice."""

    last: int = NOTHING
    twice: bool = False

    @property
    def number(self) -> int:
        """0 where nothing is said yet, 1 to 20 after each rank, 21 and more after it twice."""
        return self.last + 1 + TOP * self.twice


START = Place()


@cache
def sayable(place: Place, must_raise: bool) -> tuple[int, ...]:
    """The ranks below Mia that do not lose at once."""
    higher = range(place.last + 1, TOP)
    again = not must_raise and not place.twice and place.last != NOTHING
    return (place.last, *higher) if again else tuple(higher)


def after(place: Place, said: int) -> Place:
    """Where the next player stands who rolls instead of looking."""
    return Place(said, said == place.last)


@cache
def places(must_raise: bool) -> tuple[Place, ...]:
    """All of them, each before those that may follow it."""
    once = [Place(last) for last in range(NOTHING, TOP)]
    if must_raise:
        return tuple(once)
    twice = [Place(last, True) for last in range(TOP)]
    return tuple(sorted((*once, *twice), key=lambda place: (place.last, place.twice)))


def reached(said: Sequence[int]) -> Place:
    """Where a player stands who has to beat the last of these announcements."""
    if not said:
        return START
    return Place(said[-1], len(said) > 1 and said[-2] == said[-1])
