"""Tells each kind of thing at most once an hour."""

from __future__ import annotations

import time

HOUR = 3600.0
MOST_KINDS = 50
"""Maximum kinds told within an hour. Further ones are only in the log."""


class OnceAnHour:
    """The kinds that have been told within the hour."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def is_due(self, kind: str) -> bool:
        """Whether this kind may be told now; then it counts as told."""
        now = time.monotonic()
        self._told = {known: at for known, at in self._told.items() if now - at < HOUR}
        if kind in self._told or len(self._told) >= MOST_KINDS:
            return False
        self._told[kind] = now
        return True
