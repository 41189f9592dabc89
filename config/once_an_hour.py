"""Report each kind of event at most once an hour."""

from __future__ import annotations

import time

HOUR = 3600.0
MOST_KINDS = 50
"""Maximum kinds reported within an hour. Any other kinds are only logged."""


class OnceAnHour:
    """Record of the kinds of events that were reported within the last hour."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def is_due(self, kind: str) -> bool:
        """Whether this kind may be reported now. If so, count it as reported."""
        now = time.monotonic()
        self._told = {known: at for known, at in self._told.items() if now - at < HOUR}
        if kind in self._told or len(self._told) >= MOST_KINDS:
            return False
        self._told[kind] = now
        return True
