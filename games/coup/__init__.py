"""Iron Throne (Coup): two hidden influences, and claims that may be bluffs and be challenged."""

from games.contract.game import Game
from games.coup.bots import BOTS
from games.coup.rules import RULES
from games.coup.telling import TELLING
from games.coup.web import WEB

GAME = Game(
    slug="coup",
    name="Iron Throne",
    seats=(2, 6),
    minutes=15,
    rules=RULES,
    bots=BOTS,
    telling=TELLING,
    web=WEB,
)
