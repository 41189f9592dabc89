"""Why `hard` did what it did in Iron Throne: the deals it played out, and what it believed."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.core import Move
from games.rules.coup.belief import Belief
from games.rules.coup.habits import doubtful, roles_of
from games.rules.coup.names import ACTION_NAMES, ROLES_IN_SENTENCES
from games.rules.coup.state import ACTIONS, COPIES, Action, Block, Challenge, CoupView, Pass
from games.rules.data import Seat
from games.rules.reasons import Reason, is_sure, of_100
from games.rules.words import Fact, Text, _

_ACTIONS: Mapping[str, Action] = dict(ACTIONS.items())
_ACTION_NAMES: Mapping[str, Text] = dict(ACTION_NAMES.items())


def reason_of(
    view: CoupView, belief: Belief, move: Move, won: float, other: float, deals: int
) -> Reason | None:
    """Why this move, which won this share of the deals played out, and no other one more than
    `other`; None where that is a sure thing, or nothing was at stake."""
    if won <= other or is_sure(won):
        return None
    numbers = {"won": round(won * deals), "other": round(other * deals), "deals": deals}
    if isinstance(move, Challenge | Pass):
        return _answer(view, belief, move, won - other, numbers)
    action = type(move).__name__
    role = move.role if isinstance(move, Block) else None
    if action in _ACTIONS:
        role = _ACTIONS[action].claim
    if role is not None and role not in roles_of(view):
        return Reason(key="bluff", gap=won - other, numbers=numbers, words={"role": role})
    if action in _ACTIONS:
        return Reason(key="act", gap=won - other, numbers=numbers, words={"action": action})
    return None


def _answer(
    view: CoupView, belief: Belief, move: Move, gap: float, numbers: Mapping[str, int]
) -> Reason | None:
    """Why a claim was challenged, or let pass."""
    who, role = doubtful(view)
    if who is None or role is None or view.phase == "block_window":
        return None
    true = belief.has(who, role)
    if is_sure(true):
        return None
    return Reason(
        key="challenge" if isinstance(move, Challenge) else "believe",
        gap=gap,
        seats={"who": who},
        numbers={**numbers, "true": of_100(true), "seen": COPIES - belief.unseen[role]},
        words={"role": role},
    )


def sentence(bot: Seat, reason: Reason, names: str) -> Text | None:
    """Why the bot in this seat did that, with these names for the roles."""
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
