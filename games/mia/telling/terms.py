"""Labels of Mia: fields, values, arguments, dice and move buttons."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.words import Text, _
from games.mia.rules.state import LITTLE_MIA, MIA, Dice, ranking

MOVES: Mapping[str, Text] = {
    "Roll": _("Roll"),
    "See": _("Call the bluff"),
    "Announce": _("Announce"),
    "Continue": _("Next round"),
    "Fault": _("Give up round"),
}

TERMS: Mapping[str, Text] = {
    "phase": _("Phase"),
    "turn": _("turn"),
    "announce": _("announcing"),
    "result": _("result"),
    "over": _("over"),
    "round": _("Round"),
    "order": _("Order"),
    "onTurn": _("Whose turn"),
    "announced": _("Said last"),
    "announcements": _("Said so far"),
    "dice": _("Dice"),
    **{dice: _("%(dice)s", dice=dice.replace(",", "-")) for dice in (*ranking(False), LITTLE_MIA)},
    "shown": _("Shown"),
    "lost": _("Lost"),
    "continued": _("Ready"),
    "lives": _("Lives"),
    "points": _("Points"),
    "reason": _("Reason"),
    "username": _("Player"),
    "usernames": _("Players"),
    MIA: _("Mia"),
    "scoring": _("Scoring"),
    "rounds": _("Rounds (with points)"),
    "littleMia": _("Little Mia: 3-1 ranks just below Mia"),
    "mustRaise": _("You must always go higher"),
    "miaCosts": _("Lives lost on a Mia"),
    "onFault": _("Illegal moves"),
    "refuse": _("try again"),
    "lose": _("lose the round"),
    "humanMs": _("Turn time for people at the UDP table (milliseconds)"),
    "last_alive": _("last player standing"),
    "rounds_played": _("all rounds played"),
    "not_enough_players": _("too few players left"),
}


def said(dice: Dice) -> Text | str:
    """Return the dice as players say them: Mia, or two numbers such as 5-3."""
    return _("Mia") if dice == MIA else dice.replace(",", "-")
