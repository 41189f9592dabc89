"""The current time: the wall time at the start plus the monotonic time since then.

`now()` adds the monotonic time since the start to the wall time at the start. If the system clock
is set, or the machine sleeps, the two drift apart. `games.runtime.heartbeat` notices this, shifts
stored times by the difference, and resets this clock to the wall time.

With PostgreSQL, which may serve several hosts, the wall time is that of the database. So the hosts
agree on it, even if the clock of one of them is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

SLOW = 0.25
"""Seconds after which an answer of the database says too little about its clock."""


class TimeSource:
    """The time of this process. Tests replace its `wall` and `monotonic` clocks."""

    def __init__(self) -> None:
        self.wall = timezone.now
        self.monotonic = time.monotonic
        self._follows = False
        self.skew = timedelta(0)
        """How far this machine's clock is ahead of the database's."""
        self.started: tuple[datetime, float]
        """Both clocks at one moment.

        They are one value because other threads may read them at any time.
        """
        self.adopt()

    def now(self) -> datetime:
        """Return the current time, from which all deadlines are computed."""
        began, at = self.started
        return began + timedelta(seconds=self.monotonic() - at)

    def judged(self) -> datetime:
        """Return the time that deadlines are compared with.

        If the two clocks disagree, this is the earlier one.
        """
        return min(self.now(), self.wall())

    def drift(self) -> timedelta:
        """Return how far the wall clock is ahead of `now()`."""
        return self.wall() - self.now()

    def follow(self, ask: Callable[[], datetime]) -> None:
        """Ask the database for its time, and use that as the wall time from now on.

        After the first time, ignore an answer that took too long.
        """
        asked = self.monotonic()
        there = ask()
        answered, here = self.monotonic(), timezone.now()
        if self._follows and answered - asked > SLOW:
            return
        at = (asked + answered) / 2
        self.skew = here - there - timedelta(seconds=answered - at)
        self.wall = lambda: there + timedelta(seconds=self.monotonic() - at)
        if not self._follows:
            self.adopt()
        self._follows = True

    def adopt(self) -> None:
        """Restart from the current wall time."""
        self.started = self.wall(), self.monotonic()


source = TimeSource()


now = source.now
"""Returns the current time of this process."""
