"""The games, a line each."""

from games.rules import chamber
from games.rules.core import Game

GAMES: dict[str, Game] = {
    "chamber": chamber.GAME,
}
