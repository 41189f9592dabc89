"""Chamber: a gun loaded with live and blank rounds, and items that help to survive."""

from games.chamber.bots import BOTS
from games.chamber.rules import RULES
from games.chamber.telling import TELLING
from games.chamber.web import WEB
from games.contract.game import Game

GAME = Game(
    slug="chamber",
    name="Chamber",
    seats=(2, 8),
    minutes=10,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
    web=WEB,
)
