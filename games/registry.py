"""The installed games, in the order in which they are listed."""

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
"""The game for newcomers who choose none. It has the fewest rules."""
