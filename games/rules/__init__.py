"""The games, a line each."""

from games.rules.core import AnyGame
from games.rules.mia import GAME as MIA

GAMES: dict[str, AnyGame] = {game.slug: game for game in (MIA,)}
