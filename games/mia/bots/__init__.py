"""Bots for Mia, which choose moves from the view of their seat and explain them."""

from games.contract.game import Bots
from games.mia.bots import levels
from games.mia.rules.state import MiaView

BOTS: Bots[MiaView] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
)
