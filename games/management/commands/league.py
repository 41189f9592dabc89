"""Computes what is counted across matches again, from the log."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.history import rerating, tallies


class Command(BaseCommand):
    help = "Computes statistics or ratings of all players again from their matches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["recount", "recompute"], help="statistics, or ratings")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if what == "recompute":
            self.stdout.write(f"Ratings: {rerating.recompute()} rows were wrong.")
            return
        people = tallies.people()
        wrong = sum(map(tallies.recount, people))
        self.stdout.write(f"Statistics of {len(people)} people: {wrong} rows were wrong.")
