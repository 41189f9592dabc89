"""What is told once an hour at most, whatever kinds of it there are."""

from __future__ import annotations

import time

HOUR = 3600.0
MOST_KINDS = 200


class OnceAnHour:
    """Which kinds have been told within the hour; so many are remembered at most."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def is_due(self, kind: str) -> bool:
        """Whether this kind is to be told now; then it counts as told."""
        now = time.monotonic()
        if now - self._told.get(kind, -HOUR) < HOUR:
            return False
        if len(self._told) >= MOST_KINDS:
            self._told.clear()
        self._told[kind] = now
        return True
