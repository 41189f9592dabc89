"""The base class of our sockets, and how many of them a person and an address may have open."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from games.sockets.inbox import Inbox


class ConnectionLimiter:
    """How many sockets each address and each person has open at this process."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()
        self._of: defaultdict[Hashable, set[Hashable]] = defaultdict(set)

    def acquire(
        self, socket: Hashable, address: str | None = None, person: int | None = None
    ) -> bool:
        """Count a socket for an address or a person; False where that would be too many."""
        wanted = (
            (("address", address), address, settings.SOCKETS_PER_ADDRESS),
            (("person", person), person, settings.SOCKETS_PER_PERSON),
        )
        for key, known, most in wanted:
            if known is None or not most or key in self._of[socket]:
                continue
            if self._open[key] >= most:
                return False
            self._open[key] += 1
            self._of[socket].add(key)
        return True

    def release(self, socket: Hashable) -> None:
        """Give back what a socket took, once it is closed."""
        for key in self._of.pop(socket, ()):
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


connection_limiter = ConnectionLimiter()
"""The one of this process."""


GONE = (OSError, RuntimeError)
"""How servers say that the other end of a socket went before us."""


class Socket(AsyncWebsocketConsumer):
    """A socket that is given up however it ends: also by what nobody expected."""

    heartbeat: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        inbox = Inbox(receive, self.flooded)
        reading = asyncio.create_task(inbox.read())
        try:
            await super().__call__(scope, inbox.get, send)
        except Exception:
            await self.disconnect(1011)  # (Channels does so for ends it knows)
            raise
        finally:
            reading.cancel()
            connection_limiter.release(self)
            if self.heartbeat is not None:
                self.heartbeat.cancel()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a frame on. Channels would look after database connections first, by a thread and at
        every frame: those who read and write here do that themselves (`games.engine.reading`)."""
        await getattr(self, get_handler_name(message))(message)

    async def transmit(self, frame: str) -> None:
        """Send a text frame, past all that stands between a socket and its server but the name of
        the frame: it is done so often that it counts."""
        send = self.scope.get("line") or self.base_send
        await send({"type": "websocket.send", "text": frame})

    def start_heartbeat(self) -> None:
        """Send a sign of life every HEARTBEAT_SECONDS from now on, for pages: their script takes
        a line that says nothing for 45 s for dead (static/connection.js). Programs get none.
        """
        self.heartbeat = asyncio.create_task(self._send_heartbeats())

    async def _send_heartbeats(self) -> None:
        with contextlib.suppress(*GONE):
            while True:
                await asyncio.sleep(settings.HEARTBEAT_SECONDS)
                await self.send(text_data="{}")

    def flooded(self) -> None:
        """More frames have arrived than may."""
        raise NotImplementedError
