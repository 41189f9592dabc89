"""Sockets of the benchmark. They must use little processor time, because they share two cores with
the server.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.http11 import Response

AGAIN_S = 1.0
"""Seconds until a refused socket is opened again."""


class Socket(ClientConnection):
    """A connection that passes each text directly to its listener, without a queue or a task
    switch.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._come: deque[bytes] = deque()
        self._some = asyncio.Event()
        self._hear: Callable[[bytes], None] | None = None

    def process_event(self, event: Frame | Response | Any) -> None:
        """Deliver or queue the text of a frame. Leave all other events to the library."""
        if not (isinstance(event, Frame) and event.opcode is Opcode.TEXT):
            super().process_event(event)
        elif self._hear is not None:
            self._hear(bytes(event.data))
        else:
            self._come.append(bytes(event.data))
            self._some.set()

    async def next(self) -> bytes:
        """Return the oldest unread text."""
        while not self._come:
            self._some.clear()
            await self._some.wait()
        return self._come.popleft()

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Set the listener, and pass all unread texts to it."""
        self._hear = hear
        while self._come:
            hear(self._come.popleft())

    def say(self, text: bytes) -> None:
        """Send a text. Do not wait until it is written."""
        self.protocol.send_text(text)
        self.send_data()


async def opened(url: str, headers: dict[str, str]) -> Socket:
    """Open a socket without a size limit and without compression. Retry if the server is busy."""
    free = {"max_size": None, "compression": None}
    while True:
        try:
            found = await connect(url, additional_headers=headers, create_connection=Socket, **free)
        except InvalidStatus as refused:
            if refused.response.status_code != 503:
                raise
            await asyncio.sleep(AGAIN_S)
        else:
            assert isinstance(found, Socket)
            return found
