"""Secret Hitler: governments are elected, and only the fascists know each other."""

from games.contract.game import Game
from games.secret_hitler.bots import BOTS
from games.secret_hitler.rules import RULES
from games.secret_hitler.telling import TELLING
from games.secret_hitler.web import WEB

GAME = Game(
    slug="secret_hitler",
    name="Secret Hitler",
    seats=(5, 10),
    minutes=30,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
    web=WEB,
)
