"""Sentences for the reasons of a `hard` bot of Mia."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.reasons import Reason
from games.contract.words import Fact, Text, _
from games.mia.telling.terms import said


def sentence(bot: Seat, reason: Reason) -> Text | None:
    """Return the reason as a sentence about the bot in this seat."""
    dice: dict[str, Fact] = {name: said(value) for name, value in reason.words.items()}
    facts: dict[str, Fact] = {"bot": bot, **reason.seats, **reason.numbers, **dice}
    match reason.key:
        case "call":
            text = _(
                "%(bot)s called %(who)s's %(said)s: by its reckoning that was true in %(true)s%% of"
                " cases, and %(beaten)s%% of rolls beat it.",
                **facts,
            )
            yours = _(
                "%(bot)s called your %(said)s: by its reckoning that was true in %(true)s%% of"
                " cases, and %(beaten)s%% of rolls beat it."
            )
            return text.to(reason.seats["who"], yours)
        case "bluff":
            return _(
                "%(bot)s said %(said)s with %(under)s under the cup: it expected to be called in"
                " %(called)s%% of cases.",
                **facts,
            )
        case _:
            return None
