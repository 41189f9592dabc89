"""Pauses after rounds with a single player, who would win unopposed (docs/rules/mia.md rule 14)."""

from __future__ import annotations

import time
from collections.abc import Sequence

SHORTEST = 1.0
LONGEST = 60.0


class Rest:
    """Pauses after rounds with one player, until another player joins.

    They last 1, 2, 4, … up to 60 seconds.
    """

    def __init__(self) -> None:
        self._name = ""
        self._seconds = 0.0
        self._until = 0.0
        self._newcomers: set[str] = set()

    @property
    def left(self) -> float:
        """Seconds until the next round may start."""
        return max(0.0, self._until - time.monotonic())

    def begin(self) -> None:
        """Record the start of a round."""
        self._newcomers.clear()

    def after(self, players: Sequence[str]) -> None:
        """Record the end of a round with these players."""
        if len(players) > 1 or self._newcomers - set(players):
            self.end()
        elif players:
            self._alone(players[0])

    def came(self, name: str) -> None:
        """Record that this name has registered or joined."""
        self._newcomers.add(name)
        if name != self._name:
            self.end()

    def end(self) -> None:
        """End the pauses, because another player has joined."""
        self._name, self._seconds, self._until = "", 0.0, 0.0

    def _alone(self, name: str) -> None:
        if name != self._name:
            self.end()
        self._name = name
        self._seconds = min(2 * self._seconds, LONGEST) or SHORTEST
        self._until = time.monotonic() + self._seconds
