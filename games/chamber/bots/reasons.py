"""Reasons for moves of `hard` in Chamber: the shells left, and the odds of winning."""

from __future__ import annotations

from collections.abc import Sequence

from games.chamber.bots.expectimax import KINDS, Choice, Position
from games.contract.data import Seat
from games.contract.reasons import Reason, is_sure, of_100


def reason_of(
    at: Position, other: Seat, chosen: Choice, values: Sequence[tuple[Choice, float]]
) -> Reason | None:
    """Return why `chosen` was preferred, given each choice's probability of winning.

    Return None if the next shell was known, if the win is certain, or if no choice is clearly
    better.
    """
    worth = dict(values)
    best = worth.pop(chosen)
    rest = max(worth.values(), default=1.0)
    if is_sure(at.danger) or is_sure(best) or of_100(best) <= of_100(rest):
        return None
    return Reason(
        key=chosen.what,
        gap=best - rest,
        seats={"who": other},
        numbers={
            "live": at.live,
            "left": at.left,
            "won": of_100(best),
            "rest": of_100(rest),
        },
        words={"item": KINDS[chosen.kind]} if chosen.what in ("use", "steal") else {},
    )
