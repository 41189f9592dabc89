"""Sentences for the reasons of a `hard` bot of Secret Hitler."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.reasons import Reason
from games.contract.words import Fact, Text, _


def sentence(bot: Seat, reason: Reason) -> Text | None:
    """Return the reason as a sentence about the bot in this seat."""
    facts: dict[str, Fact] = {"bot": bot, **reason.seats, **reason.numbers}
    match reason.key, reason.words.get("position"):
        case "spoil", "president":
            return _(
                "%(bot)s drew a liberal policy and threw it away. With the board as it was, it"
                " does that in %(often)s%% of cases, and otherwise hides.",
                **facts,
            )
        case "spoil", "chancellor":
            return _(
                "%(bot)s could have enacted a liberal policy and didn't. With the board as it was,"
                " it does that in %(often)s%% of cases, and otherwise hides.",
                **facts,
            )
        case "spare", "president":
            return _(
                "%(bot)s passed a liberal policy on to look innocent. With the board as it was, it"
                " does that in %(often)s%% of cases.",
                **facts,
            )
        case "spare", "chancellor":
            return _(
                "%(bot)s enacted a liberal policy to look innocent. With the board as it was, it"
                " does that in %(often)s%% of cases.",
                **facts,
            )
        case _:
            return _of_a_vote(reason, facts) or _of_a_choice(reason, facts)


def _of_a_vote(reason: Reason, facts: dict[str, Fact]) -> Text | None:
    match reason.key:
        case "ja":
            return _(
                "%(bot)s voted Ja for %(president)s and %(chancellor)s: by its reckoning liberals"
                " won %(won)s%% of matches with them, and %(rest)s with the next government.",
                **facts,
            )
        case "nein":
            return _(
                "%(bot)s voted Nein on %(president)s and %(chancellor)s: by its reckoning liberals"
                " won %(won)s%% of matches with them, and %(rest)s with the next government.",
                **facts,
            )
        case "hidden ja":
            return _(
                "%(bot)s voted Ja for %(president)s and %(chancellor)s, as a liberal in its seat"
                " would, for whom both were liberals in %(clean)s%% of cases, and %(demand)s were"
                " enough.",
                **facts,
            )
        case "hidden nein":
            return _(
                "%(bot)s voted Nein on %(president)s and %(chancellor)s, as a liberal in its seat"
                " would, for whom both were liberals in %(clean)s%% of cases, which was less than"
                " %(demand)s.",
                **facts,
            )
        case _:
            return None


def _of_a_choice(reason: Reason, facts: dict[str, Fact]) -> Text | None:
    match reason.key:
        case "nominate":
            text = _(
                "%(bot)s nominated %(who)s: by its reckoning liberals won %(won)s%% of matches"
                " that way, and %(rest)s at most with anybody else.",
                **facts,
            )
            yours = _(
                "%(bot)s nominated you: by its reckoning liberals won %(won)s%% of matches"
                " that way, and %(rest)s at most with anybody else."
            )
            return text.to(reason.seats["who"], yours)
        case "execute":
            text = _(
                "%(bot)s executed %(who)s: by its reckoning Hitler in %(hitler)s%% of cases, and"
                " nobody else in more than %(rest)s.",
                **facts,
            )
            yours = _(
                "%(bot)s executed you: by its reckoning Hitler in %(hitler)s%% of cases, and"
                " nobody else in more than %(rest)s."
            )
            return text.to(reason.seats["who"], yours)
        case _:
            return None
