"""The sockets the bench plays by: cheap, for they share two cores with the server they measure."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.http11 import Response


class Socket(ClientConnection):
    """A connection whose texts go to its listener as they come: no queue, no task is woken."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._come: deque[bytes] = deque()
        self._some = asyncio.Event()
        self._hear: Callable[[bytes], None] | None = None

    def process_event(self, event: Frame | Response | Any) -> None:
        """Texts are taken here, in one frame each; everything else is the library's."""
        if not (isinstance(event, Frame) and event.opcode is Opcode.TEXT):
            super().process_event(event)
        elif self._hear is not None:
            self._hear(bytes(event.data))
        else:
            self._come.append(bytes(event.data))
            self._some.set()

    async def next(self) -> bytes:
        """The oldest text that has come."""
        while not self._come:
            self._some.clear()
            await self._some.wait()
        return self._come.popleft()

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Have everything heard by this, beginning with what has come before."""
        self._hear = hear
        while self._come:
            hear(self._come.popleft())

    def say(self, text: bytes) -> None:
        """Send a text without waiting until it is written."""
        self.protocol.send_text(text)
        self.send_data()


async def opened(url: str, headers: dict[str, str]) -> Socket:
    """A socket at this address, without a bound to what comes, and without compression."""
    free = {"max_size": None, "compression": None}
    found = await connect(url, additional_headers=headers, create_connection=Socket, **free)
    assert isinstance(found, Socket)
    return found
