"""Hints on the buttons of Secret Hitler: the risk of a move, from public facts."""

from collections.abc import Mapping
from typing import Any

from games.contract.data import Seat
from games.contract.words import Text, _
from games.secret_hitler.rules.board import CHAOS, HITLER_ZONE
from games.secret_hitler.rules.state import View


def hint(view: View, seat: Seat, move: str, args: Mapping[str, Any]) -> Text | None:
    match move:
        case "ChancellorNomination":
            return _nominating(view, args.get("player"))
        case "Vote" if "ja" in args:
            return _voting(view, seat, args["ja"])
        case "VetoRequest":
            return _("your president must agree")
        case "VetoConfirm" if args.get("accept"):
            if view.tracker == CHAOS - 1:
                return _("the top policy passes")
            return _("counts as a failed government")
        case "InvestigateAffiliation":
            return _("only you see it")
        case "ExecutePlayer":
            return _("if it's Hitler, the liberals win")
    return None


def _nominating(view: View, player: Seat | None) -> Text | None:
    if view.fascist < HITLER_ZONE:
        return None
    if player in view.confirmed_not_hitler:
        return _("not Hitler")
    return _("elect Hitler now, and the fascists win")


def _voting(view: View, seat: Seat, ja: bool) -> Text | None:
    chancellor = view.chancellor
    if not ja:
        return _("if it fails, the top policy passes") if view.tracker == CHAOS - 1 else None
    certain = chancellor == seat or chancellor in view.confirmed_not_hitler
    if view.fascist < HITLER_ZONE or chancellor is None or certain:
        return None
    return _("if %(who)s is Hitler, the fascists win", who=chancellor)
