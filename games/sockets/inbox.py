"""What a socket has sent and nobody has handled yet: counted as it arrives, and bounded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

Message = dict[str, Any]
MOST = 200
"""So many frames may wait; who sends more waits, too."""


class Rate:
    """A bucket of WS_BURST that fills by WS_RATE a second; 0 turns it off."""

    def __init__(self) -> None:
        self._left = float(settings.WS_BURST)
        self._at = time.monotonic()

    def take(self) -> bool:
        if not settings.WS_RATE or not settings.WS_BURST:
            return True
        now = time.monotonic()
        self._left = min(settings.WS_BURST, self._left + (now - self._at) * settings.WS_RATE)
        self._at = now
        self._left -= 1
        return self._left >= 0


class Inbox:
    """Reads on while a frame is being handled, however long that takes.

    A flood is told once, by `on_flood`; what comes after it is read and thrown away.
    """

    def __init__(self, receive: Callable[[], Awaitable[Message]], on_flood: Callable[[], None]):
        self._receive, self._on_flood = receive, on_flood
        self._frames: asyncio.Queue[Message] = asyncio.Queue(MOST)
        self._rate, self._flooded = Rate(), False

    async def get(self) -> Message:
        """The next message for the application."""
        return await self._frames.get()

    async def read(self) -> None:
        """Read until the connection is closed."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive" or self._may_come():
                await self._frames.put(message)
            if message["type"] == "websocket.disconnect":
                return

    def _may_come(self) -> bool:
        if not self._flooded and not self._rate.take():
            self._flooded = True
            self._on_flood()
        return not self._flooded
