"""Why a bot did what it did: what it weighed, kept until the match is over and told only then."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.data import Data, Seat


class Reason(Data, frozen=True, kw_only=True):
    """What a decision was made of: a key of the game, and the facts of its sentence.

    `gap`: how far apart what was chosen and the best of the rest were, from 0 to 1. A sure thing
    has no reason: it explains nothing.
    """

    key: str
    gap: float
    seats: Mapping[str, Seat] = {}
    numbers: Mapping[str, int] = {}
    words: Mapping[str, str] = {}


def outweighs(new: Reason, kept: Reason | None) -> bool:
    """Whether a decision is told rather than the one kept so far: its gap is larger."""
    return new.gap > (0.0 if kept is None else kept.gap)


def of_100(chance: float) -> int:
    """A chance as people read it: in so many of a hundred cases."""
    return round(100 * chance)


def is_sure(chance: float) -> bool:
    """Whether people would read a chance as never or always."""
    return of_100(chance) in (0, 100)
