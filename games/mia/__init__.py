"""Mia: dice under a cup, announcements that must rise, and players who call bluffs."""

from games.contract.game import Game
from games.mia.bots import BOTS
from games.mia.rules import RULES
from games.mia.telling import TELLING
from games.mia.web import WEB

GAME = Game(
    slug="mia",
    name="Mia",
    seats=(2, 8),
    minutes=10,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
    web=WEB,
)
