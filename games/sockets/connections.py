"""The base class of our sockets, and how many of them a person and an address may have open."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from games.engine import figures
from games.sockets.inbox import Inbox
from games.sockets.outbox import GONE

SCREENS = 20
"""Maximum big screens of strangers that show one room, at one process."""


class ConnectionLimiter:
    """How many sockets each address and each person has open at this process, and how many screens
    of strangers show a room."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()
        self._of: defaultdict[Hashable, set[Hashable]] = defaultdict(set)

    def acquire(
        self,
        socket: Hashable,
        address: str | None = None,
        person: int | None = None,
        screens_of: int | None = None,
    ) -> bool:
        """Count a socket for an address, a person or a room; False where that would be too many."""
        wanted = (
            (("screens of", screens_of), screens_of, SCREENS),
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


INBOX = "parlour.inbox"
"""The ASGI extension by which our server puts what comes into an inbox at once."""
LINE = "parlour.line"
"""The ASGI extension by which our server takes text frames at once (`games.runtime.protocols`);
where it says that it cannot, and everywhere else, they are sent as usual."""


def _takes_nothing_at_once(frames: bytes) -> bool:
    return False


class Socket(AsyncWebsocketConsumer):
    """A socket that is given up however it ends: also by what nobody expected."""

    heartbeat: asyncio.Task[None] | None = None
    counted_as = ""
    """Among open connections; by the name of the class where nothing is said."""
    inbox: Inbox
    line: Callable[[bytes], bool] = staticmethod(_takes_nothing_at_once)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle what comes, one after the other, until the end.

        Channels would wait at two places for each frame, the second being messages from a channel
        layer: hubs hear of changes, and no socket by itself (docs/decisions/0120).
        """
        self.scope, self.base_send = scope, send
        self.channel_layer = None
        self.line = scope.get("extensions", {}).get(LINE) or _takes_nothing_at_once
        self.inbox = inbox = Inbox(self.flooded)
        reading = self._read_into(inbox, receive)
        name = self.counted_as or type(self).__name__.removesuffix("Consumer").lower()
        open_ = figures.connections.labels(name)
        open_.inc()
        try:
            with contextlib.suppress(StopConsumer):
                while True:
                    message = await inbox.get()
                    await self.ready_to_read()
                    await self.dispatch(message)
        except Exception:
            await self.disconnect(1011)  # (Channels does so for ends it knows)
            raise
        finally:
            if reading is not None:
                reading.cancel()
            open_.dec()
            connection_limiter.release(self)
            if self.heartbeat is not None:
                self.heartbeat.cancel()

    def _read_into(self, inbox: Inbox, receive: Any) -> asyncio.Task[None] | None:
        """Have the server put what comes into the inbox; else return the task that does it."""
        fill = self.scope.get("extensions", {}).get(INBOX)
        if fill is None:
            return asyncio.create_task(inbox.read(receive))
        fill(inbox)
        return None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a frame on. Channels would look after database connections first, by a thread and at
        every frame: those who read and write here do that themselves (`games.engine.reading`)."""
        if message["type"] == "websocket.receive" and message.get("text") is not None:
            await self.receive(text_data=message["text"])
            return
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def transmit(self, frame: str) -> None:
        """Send a text frame, waiting where the reader is slow."""
        await self.base_send({"type": "websocket.send", "text": frame})

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

    async def ready_to_read(self) -> None:
        """Wait until the next frame may be handled."""

    def flooded(self) -> None:
        """More frames have arrived than may."""
        raise NotImplementedError
