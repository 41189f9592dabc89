"""Base class of all sockets, and the limits of open sockets per person and address."""

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
"""Maximum big screens per room and process that are shown by people who are not at the table."""


class ConnectionLimiter:
    """Counts open sockets of this process per address and person, and big screens per room.

    Big screens of people at the table do not count.
    """

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
        """Count a socket for an address, a person or a room. Return False if that is too many."""
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
        """Stop counting a closed socket."""
        for key in self._of.pop(socket, ()):
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


connection_limiter = ConnectionLimiter()
"""The limiter of this process."""


INBOX = "parlour.inbox"
"""ASGI extension: our server puts received messages into an inbox directly."""
LINE = "parlour.line"
"""ASGI extension: our server sends text frames without waiting (`games.runtime.protocols`).
If it cannot, or if another server runs, frames are sent the usual way."""


def _takes_nothing_at_once(frames: bytes) -> bool:
    return False


class Socket(AsyncWebsocketConsumer):
    """A socket that is always cleaned up, also after an unexpected error."""

    heartbeat: asyncio.Task[None] | None = None
    counted_as = ""
    """Label in the metric of open connections. If empty, the name of the class is used."""
    inbox: Inbox
    line: Callable[[bytes], bool] = staticmethod(_takes_nothing_at_once)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle messages one at a time until the connection ends.

        This replaces the loop of Channels, which also waits for messages of a channel layer. Only
        the hub listens to the channel layer (docs/decisions/0120).
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
            await self.disconnect(1011)  # Channels calls it only after a normal end
            raise
        finally:
            if reading is not None:
                reading.cancel()
            open_.dec()
            connection_limiter.release(self)
            if self.heartbeat is not None:
                self.heartbeat.cancel()

    def _read_into(self, inbox: Inbox, receive: Any) -> asyncio.Task[None] | None:
        """Let the server fill the inbox. Return a task that does so if the server cannot."""
        fill = self.scope.get("extensions", {}).get(INBOX)
        if fill is None:
            return asyncio.create_task(inbox.read(receive))
        fill(inbox)
        return None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Pass a message to its handler.

        Channels closes old database connections in a thread before each message. Here the code
        that reads and writes does that (`games.engine.reading`).
        """
        if message["type"] == "websocket.receive" and message.get("text") is not None:
            await self.receive(text_data=message["text"])
            return
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def transmit(self, frame: str) -> None:
        """Send a text frame. Wait if the reader is slow."""
        await self.base_send({"type": "websocket.send", "text": frame})

    def start_heartbeat(self) -> None:
        """Send a heartbeat every HEARTBEAT_SECONDS from now on.

        Only pages get one. Their script treats a connection as dead if it receives nothing for
        45 seconds (static/connection.js).
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
        """Called when more frames arrived than the rate limit allows."""
        raise NotImplementedError
