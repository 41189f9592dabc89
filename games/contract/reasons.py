"""Reasons for decisions of bots, stored during a match and shown when it is over."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.data import Data, Seat


class Reason(Data, frozen=True, kw_only=True):
    """The reason for a decision: a key defined by the game, and the facts for its sentence.

    `gap` is the difference between the chosen and the next best option, from 0 to 1. Give no reason
    for a certain decision, since it would explain nothing.
    """

    key: str
    gap: float
    seats: Mapping[str, Seat] = {}
    numbers: Mapping[str, int] = {}
    words: Mapping[str, str] = {}


def outweighs(new: Reason, kept: Reason | None) -> bool:
    """Whether a new reason replaces the stored one. The reason with the larger `gap` is kept."""
    return new.gap > (0.0 if kept is None else kept.gap)


def of_100(chance: float) -> int:
    """Return a probability as a whole percentage."""
    return round(100 * chance)


def is_sure(chance: float) -> bool:
    """Whether a probability would be displayed as 0 or 100 percent."""
    return of_100(chance) in (0, 100)
