"""Removes old data, as a running server does once a day."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.history.retention import prune


class Command(BaseCommand):
    help = "Deletes old guests, chat, stopped matches, moves of programs, tokens and sessions."

    def handle(self, *args: Any, **options: Any) -> None:
        done = prune()
        self.stdout.write(
            f"Removed: {done.guests} guests, {done.messages} messages, {done.tokens} tokens,"
            f" {done.matches} matches without a result, the moves of {done.replays} matches on the"
            " ladder, and all expired sessions."
        )
