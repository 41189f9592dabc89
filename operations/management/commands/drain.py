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
        "Prevents new matches, tells everybody that the server restarts soon, and waits until no"
        " match is running. Exit code 0: none is running; 2: time is up and some are. Those"
        " continue after the restart, as nothing is stopped. New matches are allowed again two"
        " minutes later, or immediately with --off or after Ctrl-C."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--minutes", type=float, default=10.0, help="maximum time to wait (10)")
        parser.add_argument("--off", action="store_true", help="allow new matches again")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["off"]:
            off = draining.end()
            self.stdout.write(
                "New matches are allowed again." if off else "New matches were not prevented."
            )
            return
        seconds = options["minutes"] * 60
        if not 0 <= seconds <= 86400:
            raise CommandError("--minutes must be from 0 to 1440.")
        draining.begin(timezone.now() + timedelta(seconds=seconds + MARGIN))
        self.stdout.write("New matches are prevented, and everybody is told.")
        try:
            left = self._wait(seconds)
        except KeyboardInterrupt:
            draining.end()
            raise CommandError("Cancelled: new matches are allowed again.") from None
        if left:
            self.stdout.write(f"Time is up. These continue after the restart: {_told(left)}.")
            sys.exit(STILL_RUNNING)
        self.stdout.write("No match is running. Restart within two minutes.")

    def _wait(self, seconds: float) -> dict[str, int]:
        """Wait until no match is running or the time is up.

        Return the number of matches that are still running, by game.
        """
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
