"""Hints on the buttons of Chamber: the benefit and risk of a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.chamber.rules.state import Ammo, Options, View, room_for
from games.contract.data import Seat
from games.contract.words import Text, _

DOES: Mapping[str, Text] = {
    "UseSkipItem": _("they miss their next turn"),
    "UseDoubleDamageItem": _("a live shell takes 2 lives"),
    "UseChamberCheckItem": _("only you see it"),
    "UseQuickshotItem": _("no items after the first shot"),
    "UseStealItem": _("and use it at once"),
    "UseAddLifeItem": _("+1"),
    "UseShootAirItem": _("ends your turn"),
}


def hint(
    view: View, seat: Seat, move: str, args: Mapping[str, Any], options: Options
) -> Text | None:
    """Return a hint on what a move does or risks, from public facts only, or None."""
    if move == "ShootPlayer" and "username" in args:
        return _at_yourself(view, seat) if args["username"] == seat else _at_another(view)
    if move == "UseRebalancerItem" and args.get("ammoType") == "live":
        return _adds(options.live_min, options.live_max, "live", view)
    if move == "UseRebalancerItem" and args.get("ammoType") == "blank":
        return _adds(options.blank_min, options.blank_max, "blank", view)
    return DOES.get(move)


def _at_yourself(view: View, seat: Seat) -> Text:
    if view.players[seat].lives <= 1 + view.double_damage:
        return _("a blank lets you go on; live: you're out")
    if view.double_damage:
        return _("a blank lets you go on; live: you lose 2 lives")
    return _("a blank lets you go on")


def _at_another(view: View) -> Text | None:
    return _("live: they lose 2 lives") if view.double_damage else None


def _adds(least: int, most: int, kind: Ammo, view: View) -> Text:
    most = room_for(kind, view.live, view.blank, view.rebalance_cap, most)
    if least == most:
        return _("adds %(count)s", count=least)
    return _("adds %(least)s to %(most)s", least=least, most=most)
