"""The bots of Cards: how they decide from what their seat sees, and the reasons they give."""

from games.cards.bots import levels, taste
from games.cards.rules.state import View
from games.contract.game import Bots

BOTS: Bots[View] = Bots(
    levels=levels.LEVELS,
    level_notes=taste.LEVEL_NOTES,
    manner_note=taste.note,
)
