"""Reasons for moves of `hard` in Iron Throne: the playouts, and what the bot believed."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.core import Move
from games.contract.reasons import Reason, is_sure, of_100
from games.coup.bots.belief import Belief
from games.coup.bots.habits import doubtful, roles_of
from games.coup.rules.state import ACTIONS, COPIES, Action, Block, Challenge, CoupView, Pass

_ACTIONS: Mapping[str, Action] = dict(ACTIONS.items())


def reason_of(
    view: CoupView, belief: Belief, move: Move, won: float, other: float, deals: int
) -> Reason | None:
    """Return why this move was chosen: its share of wins, and the best share of the other moves.

    Return None if the result is certain, if no other move is worse, or if the move needs no reason.
    """
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
    """Explain why a claim was challenged or allowed. Return None if its truth was certain."""
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
