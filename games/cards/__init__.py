"""Cards: everybody completes the same prompt and votes for the best answer."""

from games.cards.bots import BOTS
from games.cards.rules import RULES
from games.cards.rules.state import PLAYERS
from games.cards.telling import TELLING
from games.cards.web import WEB
from games.contract.game import Game

GAME = Game(
    slug="cards",
    name="Cards",
    seats=PLAYERS,
    minutes=20,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
    web=WEB,
)
