"""Mia: dice under a cup, an announcement that has to rise, and somebody who wants to see."""

from games.contract.game import Game
from games.mia.bots import BOTS
from games.mia.rules import RULES
from games.mia.telling import TELLING

GAME = Game(
    slug="mia",
    name="Mia",
    seats=(2, 8),
    minutes=10,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
)
