"""Sentences for the reasons of a `hard` bot of Chamber."""

from __future__ import annotations

from games.chamber.telling.terms import ITEM_NAMES
from games.contract.data import Seat
from games.contract.reasons import Reason
from games.contract.words import Fact, Text, _


def sentence(bot: Seat, reason: Reason) -> Text | None:
    """Return the reason as a sentence about the bot in this seat."""
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
