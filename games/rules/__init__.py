"""The games, a line each, in the order in which people see them."""

from importlib import import_module

from games.rules.core import AnyGame

SLUGS = (
    "chamber",
    "secret_hitler",
    "cards",
    "mia",
    "coup",
)

GAMES: dict[str, AnyGame] = {slug: import_module(f"games.rules.{slug}").GAME for slug in SLUGS}
