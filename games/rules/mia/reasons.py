"""Why `hard` did what it did in Mia: how often a word is true there, and how often it passes."""

from __future__ import annotations

from games.rules.data import Seat
from games.rules.mia.state import Dice
from games.rules.mia.terms import said
from games.rules.reasons import Reason, is_sure, of_100
from games.rules.words import Fact, Text, _


def of_call(who: Seat, dice: Dice, true: float, beaten: float) -> Reason | None:
    """Why somebody's word was called: it is true, and beaten by a roll, so often. None where that
    is a sure thing."""
    if is_sure(true):
        return None
    return Reason(
        key="call",
        gap=1 - true - beaten,
        seats={"who": who},
        numbers={"true": of_100(true), "beaten": of_100(beaten)},
        words={"said": dice},
    )


def of_bluff(dice: Dice, under: Dice, called: float) -> Reason | None:
    """Why something untrue was said: it is called so often. None where that is a sure thing."""
    if is_sure(called):
        return None
    words = {"said": dice, "under": under}
    return Reason(key="bluff", gap=1 - 2 * called, numbers={"called": of_100(called)}, words=words)


def sentence(bot: Seat, reason: Reason) -> Text | None:
    """Why the bot in this seat did that."""
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
