"""Pauses after rounds of one (docs/rules/mia.md rule 14), so that points do not grow unopposed."""

from __future__ import annotations

import time
from collections.abc import Sequence

SHORTEST = 1.0
LONGEST = 60.0


class Rest:
    """1 s after a round of one, then 2, 4, … up to 60, until another name comes."""

    def __init__(self) -> None:
        self._name = ""
        self._seconds = 0.0
        self._until = 0.0
        self._newcomers: set[str] = set()

    @property
    def left(self) -> float:
        """Seconds until the next round may begin."""
        return max(0.0, self._until - time.monotonic())

    def begin(self) -> None:
        """A round begins."""
        self._newcomers.clear()

    def after(self, players: Sequence[str]) -> None:
        """The round is over; these were in it."""
        if len(players) > 1 or self._newcomers - set(players):
            self.end()
        elif players:
            self._alone(players[0])

    def came(self, name: str) -> None:
        """This name has registered or has sat down."""
        self._newcomers.add(name)
        if name != self._name:
            self.end()

    def end(self) -> None:
        """Somebody else is there: rounds follow each other again."""
        self._name, self._seconds, self._until = "", 0.0, 0.0

    def _alone(self, name: str) -> None:
        if name != self._name:
            self.end()
        self._name = name
        self._seconds = min(2 * self._seconds, LONGEST) or SHORTEST
        self._until = time.monotonic() + self._seconds
