"""Arguments that the commands of the arena share: the game, its seats and options, bots, deals."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.contract.core import Options, Refused
from games.contract.game import AnyGame
from games.engine.options import option_fields, read_options
from games.registry import GAMES
from games.tables.sentences import refusal


def add_match_arguments(parser: ArgumentParser, against: str | None) -> None:
    """Add the arguments that say which matches are played."""
    usual = against or "random, or normal against a program"
    parser.add_argument("--seats", type=int, help="number of players (default: minimum)")
    parser.add_argument("--games", type=int, default=1000, help="number of matches")
    parser.add_argument("--against", default=against, help=f"level of the others ({usual})")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=0, help="number of the first deal")


def read_game(slug: str | None) -> AnyGame:
    """Return the game with this short name. Raise CommandError if there is none."""
    if slug not in GAMES:
        start = "Name a game with --game" if slug is None else f"There is no game {slug}"
        raise CommandError(f"{start}. There are: {', '.join(GAMES)}.")
    return GAMES[slug]


def read_seats(game: AnyGame, given: int | None) -> int:
    """Return the number of seats, by default the minimum. Raise CommandError if it is not valid."""
    seats = game.seats[0] if given is None else given
    if not game.seats[0] <= seats <= game.seats[1]:
        raise CommandError(f"{game.name} takes {game.seats[0]} to {game.seats[1]} players.")
    return seats


def check_level(game: AnyGame, level: str) -> None:
    """Raise CommandError if the game has no bot of this level."""
    if level not in game.bots.levels:
        raise CommandError(f"There is no bot {level}. There are: {', '.join(game.bots.levels)}.")


def read_deals(given: dict[str, Any]) -> range:
    """Return the numbers of the deals. Raise CommandError if there are none."""
    if given["games"] < 1:
        raise CommandError("--games must be at least 1.")
    if given["seed"] < 0:
        raise CommandError("--seed must be 0 or more.")
    return range(given["seed"], given["seed"] + given["games"])


def read_given_options(game: AnyGame, given: list[str], seats: int) -> Options:
    """Return the options given as NAME=VALUE. Raise CommandError if one is not allowed."""
    fields, values = option_fields(game), {}
    for pair in given:
        name, is_pair, value = pair.partition("=")
        if not is_pair:
            raise CommandError(f"Options must be like NAME=VALUE, not {pair}.")
        values[name] = _value(value, fields.get(name, {}).get("type"))
    try:
        options = read_options(game, values)
        game.rules.check(options, seats)
    except Refused as refused:
        raise CommandError(refusal(refused, game.telling.words(game.rules.options()))) from None
    return options


def _value(text: str, kind: str | None) -> int | bool | str:
    """Convert text to a value of this JSON type if possible. Otherwise return the text.

    Options are validated later.
    """
    if kind == "integer" and text.lstrip("-").isdecimal():
        return int(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return text
