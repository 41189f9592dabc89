"""What time it is here: shown as wall time, judged by a clock that nobody can set.

`now()` goes on by the monotonic clock from the wall time it was started at. Where somebody sets the
clock of the machine, or it sleeps, the two drift apart: `games.runtime.heartbeat` notices, moves
what is stored by as much, and has this process take up the new wall time.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.utils import timezone


class TimeSource:
    """The time of this process. Tests put another wall and another monotonic clock into it."""

    def __init__(self) -> None:
        self.wall = timezone.now
        self.monotonic = time.monotonic
        self.started: tuple[datetime, float]
        """Both clocks at one moment: one value, for other threads read it at any time."""
        self.adopt()

    def now(self) -> datetime:
        """The time all deadlines are counted from."""
        began, at = self.started
        return began + timedelta(seconds=self.monotonic() - at)

    def judged(self) -> datetime:
        """The time by which something is over: the earlier one, while clocks disagree."""
        return min(self.now(), self.wall())

    def drift(self) -> timedelta:
        """How far the wall clock has gone away from us."""
        return self.wall() - self.now()

    def adopt(self) -> None:
        """Go on from what the wall clock says."""
        self.started = self.wall(), self.monotonic()


source = TimeSource()


def now() -> datetime:
    """The time of the house."""
    return source.now()
