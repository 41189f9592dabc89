"""Steps through a saved match in a terminal."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.isolation import for_terminal
from games.management.match_file import Step, Unreadable, read_steps

KEYS = "Enter or n: next, b: back, a number: go to that act, q: quit"


class Command(BaseCommand):
    help = f"Steps through a match that the arena saved. {KEYS}. Without a terminal, prints all."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file of --save, or of /api/matches/ID.ndjson")
        parser.add_argument("--seat", type=int, help="number of the seat to look through, from 0")

    def handle(self, *args: Any, file: str, seat: int | None, **given: Any) -> None:
        try:
            steps = read_steps(file, seat)
        except Unreadable as error:
            raise CommandError(for_terminal(error)) from None
        if sys.stdin.isatty() and sys.stdout.isatty():
            self._walk(steps)
            return
        try:
            for step in steps:
                self._show(step, len(steps))
            sys.stdout.flush()
        except BrokenPipeError:  # `| head` reads no more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _walk(self, steps: Sequence[Step]) -> None:
        at = 0
        while steps:
            self._show(steps[at], len(steps))
            try:
                key = input(f"[{KEYS}] ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if key in ("q", "quit"):
                return
            to = {"b": at - 1, "": at + 1, "n": at + 1}.get(key, at)
            if key.isdecimal():
                to = int(key) - 1
            at = max(0, min(len(steps) - 1, to))

    def _show(self, step: Step, of: int) -> None:
        after = f", after {step.seconds:.0f} s" if step.seconds >= 1 else ""
        lines = [f"── act {step.version} of {of}{after}", *step.sentences, *step.board]
        self.stdout.write("\n".join(map(for_terminal, lines)) + "\n\n")
