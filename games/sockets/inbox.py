"""Bounded, rate-limited queue of the frames that a socket has received."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

Message = dict[str, Any]
MOST = 200
"""Maximum number of queued frames."""
MOST_BYTES = 256 * 1024
"""Maximum bytes of queued frames. Above either limit, reading stops until there is room."""
LARGEST_FRAME = 64 * 1024
"""Maximum bytes of a frame. Larger ones end the connection (WebSocket code 1009). Packets between
`games.wire.client.MOST_BYTES` and this size are refused with an answer."""


class Rate:
    """Token bucket of WS_BURST frames that refills by WS_RATE a second. 0 turns it off."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self) -> None:
        self._burst, self._rate = float(settings.WS_BURST), float(settings.WS_RATE)
        self._left = self._burst
        self._at = time.monotonic()

    def take(self) -> bool:
        if not self._rate or not self._burst:
            return True
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return self._left >= 0


class Inbox:
    """Queue of messages that arrive while another is being handled.

    Our server fills it directly (`put_nowait`, `games.runtime.protocols`). With any other server
    a task does (`read`). After a flood, `on_flood` is called once and further frames are dropped.
    """

    __slots__ = (
        *("_bytes", "_flooded", "_has_room", "_on_flood", "_rate", "_waiter", "_waiting"),
        *("is_closed", "on_room"),
    )

    def __init__(self, on_flood: Callable[[], None]) -> None:
        self._on_flood = on_flood
        self._waiting: list[Message] = []
        self._bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self.on_room: Callable[[bool], None] = _nobody_waits
        """Called with False when the inbox is full, and with True when there is room again."""
        self._has_room = True
        self._rate, self._flooded = Rate(), False
        self.is_closed = False
        """Whether the connection has ended, so nobody would read an answer."""

    async def get(self) -> Message:
        """Return the next message for the application."""
        while not self._waiting:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        message = self._waiting.pop(0)
        self._bytes -= _size(message)
        if not self._has_room and not self._is_full:
            self._has_room = True
            self.on_room(True)
        return message

    def put_nowait(self, message: Message) -> None:
        """Queue a message. Drop frames after a flood."""
        if message["type"] == "websocket.receive" and not self._may_come():
            return
        self.is_closed = self.is_closed or message["type"] == "websocket.disconnect"
        self._waiting.append(message)
        self._bytes += _size(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        if self._has_room and self._is_full:
            self._has_room = False
            self.on_room(False)

    async def read(self, receive: Callable[[], Awaitable[Message]]) -> None:
        """Read until the connection is closed."""
        may_go_on = asyncio.Event()
        may_go_on.set()
        self.on_room = lambda room: may_go_on.set() if room else may_go_on.clear()
        while True:
            message = await receive()
            await may_go_on.wait()
            self.put_nowait(message)
            if message["type"] == "websocket.disconnect":
                return

    @property
    def _is_full(self) -> bool:
        return len(self._waiting) >= MOST or self._bytes >= MOST_BYTES

    def _may_come(self) -> bool:
        if not self._flooded and not self._rate.take():
            self._flooded = True
            self._on_flood()
        return not self._flooded


def _size(message: Message) -> int:
    """Return an upper bound of the size of a message in bytes."""
    text, data = message.get("text") or "", message.get("bytes") or b""
    return len(data) + (len(text) if text.isascii() else 4 * len(text))


def _nobody_waits(has_room: bool) -> None:
    pass
