"""Hints on the buttons of Iron Throne: the gain and risk of a move, and which claims are true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.data import Seat
from games.contract.words import Text, _
from games.coup.rules.state import ACTIONS, CoupView, Role

Roles = Mapping[Role, Text]

BRINGS: Mapping[str, Text] = {
    "Income": _("+1, can't be stopped"),
    "ForeignAid": _("+2, can be blocked"),
    "Coup": _("pay 7, can't be stopped"),
    "Tax": _("+3 as %(role)s"),
    "Assassinate": _("pay 3 as %(role)s"),
    "Exchange": _("new cards as %(role)s"),
    "Steal": _("+2 as %(role)s"),
}


def hint(
    view: CoupView, seat: Seat, move: str, args: Mapping[str, Any], roles: Roles
) -> Text | None:
    """Return the gain or risk of a move, or None if it has neither.

    A claim that `view` shows to be true has no risk.
    """
    last_card = view.players[seat].influence == 1
    if move == "Challenge":
        return _("wrong: you're out") if last_card else _("wrong: you lose a card")
    if move == "Block":
        if last_card or view.action == "Assassinate":  # (loses both: docs/rules/coup.md §4.3)
            return _("caught: you're out")
        return _("caught: you lose a card")
    if move == "Pass":
        return _allowing(view, seat)
    if move == "Steal" and "target" in args:
        return _("takes %(coins)s", coins=min(2, view.players[args["target"]].coins))
    if move not in BRINGS:
        return None
    return _acting(move, roles, last_card, truth(view, move, args))


def _acting(move: str, roles: Roles, last_card: bool, is_true: bool) -> Text:
    claim = next(action.claim for name, action in ACTIONS.items() if name == move)
    if claim is None:
        return BRINGS[move]
    brings = BRINGS[move].of(role=roles[claim])
    if is_true:
        return brings
    if last_card:
        return _("%(brings)s; caught: you're out", brings=brings)
    return _("%(brings)s; caught: lose a card", brings=brings)


def _allowing(view: CoupView, seat: Seat) -> Text | None:
    """Return what a target loses by passing, or can still do. Return None for other players."""
    if view.action is None or view.target != seat:
        return None
    if view.phase == "challenge_window" and ACTIONS[view.action].blocked_by:
        return _("you can still block")
    if view.phase == "block_window" and view.action == "Assassinate":
        return _("you're out") if view.players[seat].influence == 1 else _("you lose a card")
    if view.phase == "block_window" and view.action == "Steal":
        return _("you lose %(coins)s", coins=min(2, view.players[seat].coins))
    return None


def truth(view: CoupView, move: str, args: Mapping[str, Any]) -> bool:
    """Return whether the viewer has the role that a move claims, face down."""
    claim = next((action.claim for name, action in ACTIONS.items() if name == move), None)
    if move == "Block":
        claim = args.get("role")
    return claim is not None and any(
        card.role == claim and not card.face_up for card in view.hand or ()
    )
