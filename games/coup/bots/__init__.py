"""Bots for Iron Throne, which choose moves from the view of their seat and explain them."""

from games.contract.game import Bots
from games.coup.bots import hard, levels
from games.coup.rules.state import CoupView

BOTS: Bots[CoupView] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal", "hard"}),
    searching={"hard": hard.searches},
)
