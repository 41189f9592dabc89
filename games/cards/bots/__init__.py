"""Bots for Cards, which choose moves from the view of their seat and explain them."""

from games.cards.bots import levels, taste
from games.cards.rules.state import View
from games.contract.game import Bots

BOTS: Bots[View] = Bots(
    levels=levels.LEVELS,
    level_notes=taste.LEVEL_NOTES,
    manner_note=taste.note,
)
