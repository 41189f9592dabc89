"""The games, a line each."""

from games.rules.core import Game

GAMES: dict[str, Game] = {}
