"""Bots for Secret Hitler, which choose moves from the view of their seat and explain them."""

from games.contract.game import Bots
from games.secret_hitler.bots import levels
from games.secret_hitler.rules.state import View

BOTS: Bots[View] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal", "hard"}),
    talks=levels.TALKS,
)
