"""The games, a line each."""

from games.rules.core import AnyGame

GAMES: dict[str, AnyGame] = {}
