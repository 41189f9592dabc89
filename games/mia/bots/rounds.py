"""A round of Mia as a small game tree: the last announcement, and whether it was repeated.

A place of the tree is the announcement that the next roller has to beat. Earlier dice do not
matter, because they are rolled again. With `mustRaise: false` the last announcement may be repeated
once, and must then be beaten. Values are ranks, 0 to 20 (`odds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.contract.data import Data
from games.mia.bots.odds import NOTHING, TOP


class Place(Data, frozen=True):
    """A node of the game tree: the rank to beat, and whether it was announced twice."""

    last: int = NOTHING
    twice: bool = False

    @property
    def number(self) -> int:
        """Index of the place.

        0 at the start, 1 to 20 after each rank, and 21 and up after a repetition.
        """
        return self.last + 1 + TOP * self.twice


START = Place()


@cache
def sayable(place: Place, must_raise: bool) -> tuple[int, ...]:
    """Return the ranks below Mia that can be announced at this place without losing at once."""
    higher = range(place.last + 1, TOP)
    again = not must_raise and not place.twice and place.last != NOTHING
    return (place.last, *higher) if again else tuple(higher)


def after(place: Place, said: int) -> Place:
    """Return the place after this announcement, if the next player rolls instead of calling."""
    return Place(said, said == place.last)


@cache
def places(must_raise: bool) -> tuple[Place, ...]:
    """Return all places. Each comes before its possible successors."""
    once = [Place(last) for last in range(NOTHING, TOP)]
    if must_raise:
        return tuple(once)
    twice = [Place(last, True) for last in range(TOP)]
    return tuple(sorted((*once, *twice), key=lambda place: (place.last, place.twice)))


def reached(said: Sequence[int]) -> Place:
    """Return the place that is reached after these announcements."""
    if not said:
        return START
    return Place(said[-1], len(said) > 1 and said[-2] == said[-1])
