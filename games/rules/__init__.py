"""The games, a line each."""

from games.rules import secret_hitler
from games.rules.core import Game

GAMES: dict[str, Game] = {
    secret_hitler.GAME.slug: secret_hitler.GAME,
}
