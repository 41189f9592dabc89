"""The bots of Secret Hitler: how they decide from what their seat sees, and the reasons they
give.
"""

from games.contract.game import Bots
from games.secret_hitler.bots import levels
from games.secret_hitler.rules.state import View

BOTS: Bots[View] = Bots(
    levels=levels.LEVELS,
    level_notes=levels.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal", "hard"}),
    talks=levels.TALKS,
)
