"""The bots of Mia: how they decide from what their seat sees, and the reasons they give."""

from games.contract.game import Bots
from games.mia.bots import levels
from games.mia.rules.state import MiaView

BOTS: Bots[MiaView] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
)
