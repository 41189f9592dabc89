"""Hints on the buttons of Mia: the possible cost of a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.data import Seat
from games.contract.words import Text, _, ngettext
from games.mia.rules.state import MIA, MiaOptions, MiaView, ranking
from games.mia.telling.terms import said


def hint(
    view: MiaView, seat: Seat, move: str, args: Mapping[str, Any], options: MiaOptions
) -> Text | None:
    """Return the possible cost or consequence of a move, from public facts only, or None."""
    last = view.announced
    if move == "Roll" and last and options.must_raise:
        return _("then say more than %(dice)s", dice=said(last.dice))
    if move == "See":
        return _("wrong: %(loss)s", loss=_loss(view, seat, 1))
    if move == "Announce" and args.get("dice") == MIA:
        loss = _loss(view, seat, options.mia_costs)
        return _("shown at once; if it's a lie, %(loss)s", loss=loss)
    if move == "Announce" and last and "dice" in args:
        ranks = ranking(options.little_mia)
        if ranks.index(args["dice"]) < ranks.index(last.dice) + options.must_raise:
            return _("too low: %(loss)s", loss=_loss(view, seat, 1))
    return _("caught lying: %(loss)s", loss=_loss(view, seat, 1)) if move == "Announce" else None


def _loss(view: MiaView, seat: Seat, lives: int) -> Text:
    left = view.players[seat].lives
    if left is None:
        return _("no point for you")
    if left <= lives:
        return _("you're out")
    return ngettext("you lose a life", "you lose %(count)s lives", lives)
