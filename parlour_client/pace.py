"""Rate limit for sending, and pauses before reconnecting. Times are in seconds."""

from __future__ import annotations

import random
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import TypeVar

from parlour_client.errors import Refused

T = TypeVar("T")

BURST = 20
"""Maximum packets at once.

Servers disconnect a program that sends too fast (by default 40 packets at once, or 20 per second).
Half of that is safe even if a slow network delivers one second's packets all at once.
"""
RATE = 15.0
FIRST, LONGEST = 0.25, 15.0


class Pace:
    """A token bucket of `BURST` packets that refills at `rate` per second.

    A rate of 0 means no limit.
    """

    def __init__(self, rate: float = RATE) -> None:
        self._rate, self._left, self._at = rate, float(BURST), monotonic()

    async def take(self) -> None:
        """Wait until another packet may be sent."""
        if not self._rate:
            return
        now = monotonic()
        self._left = min(BURST, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        if self._left < 0:
            await sleep(-self._left / self._rate)


def back_off() -> Iterator[float]:
    """Yield the pauses before attempts to reconnect.

    They double each time. They are also random, so that clients do not all return at once.
    """
    pause = FIRST
    while True:
        yield pause * random.uniform(0.5, 1)
        pause = min(LONGEST, pause * 2)


async def while_busy(ask: Callable[[], Awaitable[T]]) -> T:
    """Return the response to a request. Repeat it while the server is busy.

    A server can be busy for some seconds, for example right after a restart. The request must be
    one that changes nothing if it is carried out twice.
    """
    for pause in back_off():
        try:
            return await ask()
        except Refused as refused:
            if refused.code != "busy":
                raise
        await sleep(pause)
    raise AssertionError  # `back_off` never ends
