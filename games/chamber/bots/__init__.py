"""Bots for Chamber, which choose moves from the view of their seat and explain them."""

from games.chamber.bots import hard, levels
from games.chamber.rules.state import View
from games.contract.game import Bots

BOTS: Bots[View] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal"}),
    searching={"hard": hard.searches},
)
