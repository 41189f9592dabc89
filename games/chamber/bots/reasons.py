"""Why `hard` did what it did in Chamber: the shells that were left, and what it expected."""

from __future__ import annotations

from collections.abc import Sequence

from games.chamber.bots.expectimax import KINDS, Choice, Position
from games.contract.data import Seat
from games.contract.reasons import Reason, is_sure, of_100


def reason_of(
    at: Position, other: Seat, chosen: Choice, values: Sequence[tuple[Choice, float]]
) -> Reason | None:
    """Why this was chosen among what can be done, each with how probably it wins; None where the
    next shell was known, or it was a sure thing."""
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
