"""The games, a line each."""

from games.rules.cards import GAME as CARDS
from games.rules.core import AnyGame
from games.rules.coup import GAME as IRON_THRONE
from games.rules.mia import GAME as MIA

GAMES: dict[str, AnyGame] = {game.slug: game for game in (MIA, IRON_THRONE, CARDS)}
