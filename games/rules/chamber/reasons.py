"""Why `hard` did what it did in Chamber: the shells that were left, and what it expected."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.chamber.expectimax import KINDS, Choice, Position
from games.rules.chamber.terms import ITEM_NAMES
from games.rules.data import Seat
from games.rules.reasons import Reason, is_sure, of_100
from games.rules.words import Fact, Text, _


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


def sentence(bot: Seat, reason: Reason) -> Text | None:
    """Why the bot in this seat did that."""
    facts: dict[str, Fact] = {"bot": bot, **reason.seats, **reason.numbers}
    if item := reason.words.get("item"):
        facts["item"] = ITEM_NAMES[item]
    match reason.key:
        case "other":
            text = _(
                "%(bot)s shot %(who)s with %(live)s of %(left)s shells live. By its reckoning that"
                " won %(won)s%% of matches, and its next best move %(rest)s.",
                **facts,
            )
            yours = _(
                "%(bot)s shot you with %(live)s of %(left)s shells live. By its reckoning that"
                " won %(won)s%% of matches, and its next best move %(rest)s."
            )
            return text.to(reason.seats["who"], yours)
        case "me":
            return _(
                "%(bot)s shot itself with %(live)s of %(left)s shells live, to go again. By its"
                " reckoning that won %(won)s%% of matches, and its next best move %(rest)s.",
                **facts,
            )
        case "use":
            return _(
                "%(bot)s used %(item)s with %(live)s of %(left)s shells live. By its reckoning that"
                " won %(won)s%% of matches, and its next best move %(rest)s.",
                **facts,
            )
        case "steal":
            text = _(
                "%(bot)s stole %(item)s from %(who)s with %(live)s of %(left)s shells live. By its"
                " reckoning that won %(won)s%% of matches, and its next best move %(rest)s.",
                **facts,
            )
            yours = _(
                "%(bot)s stole %(item)s from you with %(live)s of %(left)s shells live. By its"
                " reckoning that won %(won)s%% of matches, and its next best move %(rest)s."
            )
            return text.to(reason.seats["who"], yours)
        case _:
            return None
