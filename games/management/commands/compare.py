"""Plays two or more programs in the same deals and seats, and prints how much they differ."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.arguments import add_match_arguments, read_deals
from games.management.trials import (
    add_trial_arguments,
    compared,
    failures,
    read_bench,
    report,
    tried,
)


class Command(BaseCommand):
    help = "Plays programs in the same deals and seats, and compares each with the first one."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="old.py new.py …")
        add_match_arguments(parser, "normal")
        add_trial_arguments(parser)

    def handle(self, *args: Any, **given: Any) -> None:
        if len(given["files"]) < 2:
            raise CommandError("Name at least two files, such as old.py new.py.")
        bench, deals = read_bench(given), read_deals(given)
        found = tried(bench, given["files"], deals)
        for one in found:
            self.stdout.write(f"{report(bench, one, deals)}\n\n")
        for other in found[1:]:
            self.stdout.write(compared(found[0], other))
        if said := failures(found):
            raise CommandError(said)
