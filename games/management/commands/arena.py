"""Plays many matches between bots and prints the strength of each level."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.contract.core import Options, Refused
from games.contract.game import AnyGame
from games.contract.luck import Luck
from games.engine.options import option_fields, read_options
from games.management.arena import CannotContinue, Tally, compare
from games.registry import GAMES
from games.tables.sentences import refusal


class Command(BaseCommand):
    help = "Plays one bot of each level against a table of others, with the same deals."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game's short name, e.g. mia")
        parser.add_argument("--seats", type=int, help="number of players (default: minimum)")
        parser.add_argument("--games", type=int, default=1000, help="matches per level")
        parser.add_argument("--bots", default="", help="levels to measure, e.g. normal,random")
        parser.add_argument("--against", default="random", help="level of the others")
        parser.add_argument("--side", default="", help="let the level play this whole side")
        parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
        parser.add_argument("--seed", type=int, default=0, help="number of the first deal")

    def handle(self, *args: Any, **given: Any) -> None:
        game = GAMES.get(given["game"])
        if game is None:
            raise CommandError(f"There is no game {given['game']}. There are: {', '.join(GAMES)}.")
        seats = game.seats[0] if given["seats"] is None else given["seats"]
        if not game.seats[0] <= seats <= game.seats[1]:
            raise CommandError(f"{game.name} takes {game.seats[0]} to {game.seats[1]} players.")
        levels = given["bots"].split(",") if given["bots"] else list(game.bots.levels)
        for level in (*levels, given["against"]):
            if level not in game.bots.levels:
                raise CommandError(
                    f"There is no bot {level}. There are: {', '.join(game.bots.levels)}."
                )
        if given["games"] < 1:
            raise CommandError("--games must be at least 1.")
        if given["seed"] < 0:
            raise CommandError("--seed must be 0 or more.")
        options = _options(game, given["options"], seats)
        side = _side(game, options, seats, given["side"])
        found = {}
        with Progress(transient=True) as progress:
            for level in levels:
                task = progress.add_task(level, total=given["games"])
                try:
                    found[level] = compare(
                        game.slug,
                        options,
                        seats,
                        level,
                        given["against"],
                        given["games"],
                        given["seed"],
                        os.cpu_count() or 1,
                        lambda count, task=task: progress.advance(task, count),  # type: ignore[misc]
                        side,
                    )
                except CannotContinue as error:
                    raise CommandError(f"{game.name} cannot be played: {error}") from None
        Console().print(_report(game, seats, given["against"], side, found))


def _side(game: AnyGame, options: Options, seats: int, side: str) -> str:
    if not side:
        return ""
    if game.rules.sides is None:
        raise CommandError(f"{game.name} has no sides.")
    there = set(game.rules.sides(game.rules.setup(seats, options, Luck(b"sides", 1)).state))
    if side not in there:
        raise CommandError(f"There is no side {side}. There are: {', '.join(sorted(there))}.")
    return side


def _options(game: AnyGame, given: list[str], seats: int) -> Options:
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


def _report(game: AnyGame, seats: int, others: str, side: str, found: dict[str, Tally]) -> Table:
    share = f"all {side}" if side else f"fair share {1 / seats:.3f}"
    title = f"{game.name}, {seats} seats, against {others}; {share}"
    table = Table(title=title, caption="lost: share of the rounds · times: ms per move")
    table.box, table.padding = SIMPLE, (0, 0)
    for column in ("bot", "wins ± 95 %", "lost", "acts", "illegal", "failed"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("p50", "p95", "max"):
        table.add_column(column, justify="right", no_wrap=True)
    for level, tally in found.items():
        lost = f"{tally.rounds_lost / tally.rounds:.3f}" if tally.rounds else "–"
        times = [tally.time_at(share) * 1000 for share in (0.5, 0.95, 1.0)]
        table.add_row(
            level,
            f"{tally.rate:.3f} ± {tally.half_width:.3f}",
            lost,
            f"{tally.acts / tally.matches:.1f}",
            str(tally.illegal),
            str(tally.fallbacks),
            *(f"{ms:.2f}" for ms in times),
        )
    return table
