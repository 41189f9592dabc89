"""Let running matches end before a server is stopped."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.engine import draining

LOOKS_EVERY = 1.0
MARGIN = 120
"""Extra seconds without new matches, to leave time for the restart."""
STILL_RUNNING = 2


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Lets no new match start, tells everybody that the server restarts soon, and waits until no"
        " match runs. Ends with 0 then, or with 2 where matches still run when the time is up:"
        " they go on after the restart all the same. Nothing is stopped. Two minutes after its end"
        " matches start again by themselves; at once with --off, or after Ctrl-C."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--minutes", type=float, default=10.0, help="wait so long at the most (10)"
        )
        parser.add_argument("--off", action="store_true", help="let matches start again now")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["off"]:
            off = draining.end()
            self.stdout.write("Matches start again." if off else "Nothing was held back.")
            return
        seconds = options["minutes"] * 60
        if not 0 <= seconds <= 86400:
            raise CommandError("--minutes is a number from 0 to 1440.")
        draining.begin(timezone.now() + timedelta(seconds=seconds + MARGIN))
        self.stdout.write("No new match starts, and everybody is told.")
        try:
            left = self._wait(seconds)
        except KeyboardInterrupt:
            draining.end()
            raise CommandError("Given up: matches start again.") from None
        if left:
            self.stdout.write(f"Time is up; {_told(left)} go on after the restart.")
            sys.exit(STILL_RUNNING)
        self.stdout.write("No match runs. Restart within two minutes.")

    def _wait(self, seconds: float) -> dict[str, int]:
        """Wait until no match runs or the time is up; return the running matches per game."""
        until, told = time.monotonic() + seconds, None
        while running := draining.running():
            if running != told:
                self.stdout.write(f"Running: {_told(running)}")
                self.stdout.flush()
                told = running
            if time.monotonic() >= until:
                return running
            time.sleep(min(LOOKS_EVERY, max(0.0, until - time.monotonic())))
        return {}


def _told(running: dict[str, int]) -> str:
    return ", ".join(f"{count} of {game}" for game, count in running.items())
