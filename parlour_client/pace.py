"""How fast to send, and how long to wait before coming back. Times are seconds."""

from __future__ import annotations

import random
from asyncio import sleep
from collections.abc import Iterator
from time import monotonic

BURST = 20
"""How many packets may go out at once. A server closes floods (by default 40 at once, 20 a
second); half of that stays well-behaved when a slow network delivers a second's packets at once."""
RATE = 15.0
FIRST, LONGEST = 0.25, 15.0


class Pace:
    """A bucket of `BURST` packets that fills by `rate` a second; 0 is no limit."""

    def __init__(self, rate: float = RATE) -> None:
        self._rate, self._left, self._at = rate, float(BURST), monotonic()

    async def take(self) -> None:
        """Wait until one more packet may go out."""
        if not self._rate:
            return
        now = monotonic()
        self._left = min(BURST, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        if self._left < 0:
            await sleep(-self._left / self._rate)


def back_off() -> Iterator[float]:
    """The pauses between attempts: doubling, and uneven, so that not all come at once."""
    pause = FIRST
    while True:
        yield pause * random.uniform(0.5, 1)
        pause = min(LONGEST, pause * 2)
