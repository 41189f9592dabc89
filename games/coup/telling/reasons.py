"""Sentences for the reasons of a `hard` bot of Iron Throne."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.data import Seat
from games.contract.reasons import Reason
from games.contract.words import Fact, Text, _
from games.coup.telling.names import ACTION_NAMES, ROLES_IN_SENTENCES

_ACTION_NAMES: Mapping[str, Text] = dict(ACTION_NAMES.items())


def sentence(bot: Seat, reason: Reason, names: str) -> Text | None:
    """Return the reason as a sentence about the bot in this seat.

    `names` is the option that determines the names of the roles.
    """
    facts: dict[str, Fact] = {"bot": bot, **reason.seats, **reason.numbers}
    if role := reason.words.get("role"):
        facts["role"] = dict[str, Text](ROLES_IN_SENTENCES[names].items())[role]
    match reason.key:
        case "challenge":
            text = _(
                "%(bot)s didn't believe that %(who)s had %(role)s: with %(seen)s of 3 cards in"
                " sight, that was true in %(true)s%% of cases. Of %(deals)s deals played out in"
                " its head, it won %(won)s by a challenge and %(other)s without.",
                **facts,
            )
            yours = _(
                "%(bot)s didn't believe that you had %(role)s: with %(seen)s of 3 cards in"
                " sight, that was true in %(true)s%% of cases. Of %(deals)s deals played out in"
                " its head, it won %(won)s by a challenge and %(other)s without."
            )
            return text.to(reason.seats["who"], yours)
        case "believe":
            text = _(
                "%(bot)s didn't challenge %(who)s as %(role)s: with %(seen)s of 3 cards in sight,"
                " that was true in %(true)s%% of cases. Of %(deals)s deals played out in its"
                " head, it won %(won)s that way and %(other)s by a challenge.",
                **facts,
            )
            yours = _(
                "%(bot)s didn't challenge you as %(role)s: with %(seen)s of 3 cards in sight,"
                " that was true in %(true)s%% of cases. Of %(deals)s deals played out in its"
                " head, it won %(won)s that way and %(other)s by a challenge."
            )
            return text.to(reason.seats["who"], yours)
        case "bluff":
            return _(
                "%(bot)s claimed %(role)s without having that card. Of %(deals)s deals played out"
                " in its head, it won %(won)s that way, and no more than %(other)s by anything"
                " else.",
                **facts,
            )
        case "act":
            return _(
                "%(bot)s chose %(action)s. Of %(deals)s deals played out in its head, it won"
                " %(won)s that way, and no more than %(other)s by anything else.",
                **facts,
                action=_ACTION_NAMES[reason.words["action"]],
            )
        case _:
            return None
