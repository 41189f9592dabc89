"""The games, a line each, in the order in which people see them."""

from importlib import import_module

from games.contract.game import AnyGame

SLUGS = (
    "chamber",
    "secret_hitler",
    "cards",
    "mia",
    "coup",
)

GAMES: dict[str, AnyGame] = {slug: import_module(f"games.{slug}").GAME for slug in SLUGS}
FIRST_GAME = "mia" if "mia" in GAMES else next(iter(GAMES))
"""What a newcomer plays who chooses no game: the one with the fewest rules."""
