"""Tallies: what a game counts in finished matches, for the statistics of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from games.contract.core import S, Told
from games.contract.data import Seat
from games.contract.words import Text

LONGEST_KEY = 16
"""Maximum characters of a key, which is stored in a column."""


class Feat(NamedTuple):
    """Something that a seat did, such as a bluff.

    * `at`: index of its event among the events of the match.
    * `n`: how much it adds to the count.
    * `size`: how remarkable it is. Statistics link to the greatest feat with this key, or to the
      latest of these.
    """

    seat: Seat
    key: str
    at: int
    n: int = 1
    size: int = 1


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A line of the statistics: the count of the feats with this key.

    * `said`: returns the sentence for a count, which it calls `%(count)s`.
    * `per`: another key. If set, the count is divided by the count of that key.
    * `greatest`: whether the number is the size of the greatest feat instead of the count.
    """

    key: str
    said: Callable[[int], Text]
    per: str = ""
    greatest: bool = False


@dataclass(frozen=True, kw_only=True)
class Tally(Generic[S]):
    """What a game counts: the feats in a finished match, and the lines that show their counts.

    `feats` gets the final state and all events, including those that were told to single seats.
    """

    feats: Callable[[S, Sequence[Told]], Iterable[Feat]]
    lines: tuple[Statistic, ...]


def counted(feats: Iterable[Feat]) -> Counter[tuple[Seat, str]]:
    """Return the counts of a match, by seat and key."""
    counts = Counter[tuple[Seat, str]]()
    for feat in feats:
        counts[feat.seat, feat.key] += feat.n
    return counts
