"""Plays many matches and prints how strong bots are: built-in levels, or a program of yours."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.contract.core import Options
from games.contract.game import AnyGame
from games.contract.luck import Luck
from games.management.arena import CannotContinue, Tally, compare
from games.management.arguments import (
    add_match_arguments,
    check_level,
    read_deals,
    read_game,
    read_given_options,
    read_seats,
)
from games.management.trials import (
    add_trial_arguments,
    failures,
    is_file,
    read_bench,
    report,
    tried,
)


class Command(BaseCommand):
    help = (
        "Plays each built-in level against a table of others, with the same deals: arena coup."
        " Plays your function bot(decision): arena mybot.py --game coup. Plays a program in any"
        " language: arena --cmd 'node bot.js' --game coup (docs/programs.md)."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", metavar="GAME|FILE", help="mia, or mybot.py")
        add_match_arguments(parser, None)
        parser.add_argument("--bots", default="", help="levels to measure, e.g. normal,random")
        parser.add_argument("--side", default="", help="let the level play this whole side")
        add_trial_arguments(parser)
        parser.add_argument("--cmd", help="command that reads packets and writes moves, as lines")
        parser.add_argument("--save", metavar="FOLDER", help="save the lost matches as files")

    def handle(self, *args: Any, **given: Any) -> None:
        what = given["what"]
        if given["cmd"] is not None or is_file(what):
            self._try(given)
            return
        self._measure(read_game(what or given["game"]), given)

    def _try(self, given: dict[str, Any]) -> None:
        """Let a program play."""
        if given["cmd"] is not None and given["what"] is not None:
            raise CommandError("Give either a file or --cmd, not both.")
        for name in ("bots", "side"):
            if given[name]:
                raise CommandError(f"--{name} is for built-in levels, not for a program.")
        bench, deals = read_bench(given), read_deals(given)
        (found,) = tried(bench, [given["what"]], deals, given["cmd"], given["save"])
        self.stdout.write(report(bench, found, deals, given["save"]))
        if said := failures([found]):
            raise CommandError(said)

    def _measure(self, game: AnyGame, given: dict[str, Any]) -> None:
        """Let each built-in level play."""
        seats = read_seats(game, given["seats"])
        against = given["against"] or "random"
        levels = given["bots"].split(",") if given["bots"] else list(game.bots.levels)
        for level in (*levels, against):
            check_level(game, level)
        deals = read_deals(given)
        options = read_given_options(game, given["options"], seats)
        side = _side(game, options, seats, given["side"])
        found = {}
        with Progress(transient=True) as progress:
            for level in levels:
                task = progress.add_task(level, total=len(deals))
                try:
                    found[level] = compare(
                        game.slug,
                        options,
                        seats,
                        level,
                        against,
                        len(deals),
                        deals.start,
                        os.cpu_count() or 1,
                        lambda count, task=task: progress.advance(task, count),  # type: ignore[misc]
                        side,
                    )
                except CannotContinue as error:
                    raise CommandError(f"{game.name} cannot be played: {error}") from None
        Console().print(_report(game, seats, against, side, found))


def _side(game: AnyGame, options: Options, seats: int, side: str) -> str:
    if not side:
        return ""
    if game.rules.sides is None:
        raise CommandError(f"{game.name} has no sides.")
    there = set(game.rules.sides(game.rules.setup(seats, options, Luck(b"sides", 1)).state))
    if side not in there:
        raise CommandError(f"There is no side {side}. There are: {', '.join(sorted(there))}.")
    return side


def _report(game: AnyGame, seats: int, others: str, side: str, found: dict[str, Tally]) -> Table:
    share = f"all {side}" if side else f"fair share {1 / seats:.3f}"
    title = f"{game.name}, {seats} seats, against {others}; {share}"
    table = Table(title=title, caption="lost: share of the rounds · times: ms per move")
    table.box, table.padding = SIMPLE, (0, 0)
    for column in ("bot", "wins", "95 %", "lost", "acts", "illegal", "failed"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("p50", "p95", "max"):
        table.add_column(column, justify="right", no_wrap=True)
    for level, tally in found.items():
        lost = f"{tally.rounds_lost / tally.rounds:.3f}" if tally.rounds else "–"
        times = [tally.time_at(share) * 1000 for share in (0.5, 0.95, 1.0)]
        least, most = tally.interval
        table.add_row(
            level,
            f"{tally.rate:.3f}",
            f"{least:.3f}–{most:.3f}",
            lost,
            f"{tally.acts / tally.matches:.1f}",
            str(tally.illegal),
            str(tally.fallbacks),
            *(f"{ms:.2f}" for ms in times),
        )
    return table
