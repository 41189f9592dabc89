"""The current time: the wall time at the start plus the monotonic time since then.

`now()` adds the monotonic time since the start to the wall time at the start. If the system clock
is set, or the machine sleeps, the two drift apart. `games.runtime.heartbeat` notices this, shifts
stored times by the difference, and resets this clock to the wall time.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.utils import timezone


class TimeSource:
    """The time of this process. Tests replace its `wall` and `monotonic` clocks."""

    def __init__(self) -> None:
        self.wall = timezone.now
        self.monotonic = time.monotonic
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

    def adopt(self) -> None:
        """Restart from the current wall time."""
        self.started = self.wall(), self.monotonic()


source = TimeSource()


def now() -> datetime:
    """Return the current time of this process."""
    return source.now()
