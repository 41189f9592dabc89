"""Base class of all sockets, and the limits for open sockets and received frames."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Hashable
from itertools import takewhile
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from games.engine import figures
from games.sockets.outbox import GONE, WRITE

log = logging.getLogger(__name__)

SCREENS = 20
"""Maximum big screens per room and process. Screens of members are not counted."""
HEARTBEAT = "{}"
SLACK = 40
"""Heartbeats are sent up to 1/SLACK of their interval early, so that many are sent at once."""
LARGEST_FRAME = 64 * 1024
"""Maximum bytes of a frame.

Larger frames end the connection (WebSocket code 1009). Packets between
`games.wire.client.MOST_BYTES` and this size are refused with an error packet.
"""


class ConnectionLimiter:
    """Counts this process's open sockets per address and user, and big screens per room.

    Big screens of members do not count.
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
        """Count a socket for an address, a user or a room. Return False if there are too many."""
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


class Rate:
    """Token bucket of WS_BURST frames that refills at WS_RATE per second.

    A rate of 0 turns it off.
    """

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


class Heartbeats:
    """Sends heartbeats to all pages of this process. One task and one timer are enough for all."""

    def __init__(self) -> None:
        self._due: dict[ParlourConsumer, float] = {}
        """The next heartbeat of each page by the time of the event loop, the earliest first."""
        self._sending: dict[ParlourConsumer, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self, page: ParlourConsumer) -> None:
        """Send a heartbeat to a page every HEARTBEAT_SECONDS until it closes."""
        self._put(page)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._keep_sending())

    def stop(self, page: ParlourConsumer) -> None:
        """Forget a closed page."""
        self._due.pop(page, None)
        if self._task is not None and not self._due:
            self._task.cancel()
            self._task = None
        if task := self._sending.pop(page, None):
            task.cancel()

    def _put(self, page: ParlourConsumer) -> None:
        self._due.pop(page, None)
        self._due[page] = asyncio.get_running_loop().time() + settings.HEARTBEAT_SECONDS

    async def _keep_sending(self) -> None:
        """Send each heartbeat when it is due, or slightly earlier (SLACK)."""
        loop = asyncio.get_running_loop()
        while self._due:
            for page in self._due_by(loop.time() + settings.HEARTBEAT_SECONDS / SLACK):
                self._put(page)
                try:
                    self._beat(page)
                except Exception:  # the other pages must still get theirs
                    log.exception("a heartbeat could not be sent")
            await asyncio.sleep(next(iter(self._due.values())) - loop.time())

    def _due_by(self, until: float) -> list[ParlourConsumer]:
        return [page for page, _ in takewhile(lambda one: one[1] <= until, self._due.items())]

    def _beat(self, page: ParlourConsumer) -> None:
        """Send a heartbeat, without waiting if possible."""
        write = page.scope.get("extensions", {}).get(WRITE)
        with contextlib.suppress(*GONE):
            if write is not None and write((HEARTBEAT,)):
                return
        if page not in self._sending:
            self._sending[page] = asyncio.get_running_loop().create_task(self._send(page))

    async def _send(self, page: ParlourConsumer) -> None:
        try:
            with contextlib.suppress(*GONE):
                await page.send(text_data=HEARTBEAT)
        except Exception:
            log.exception("a heartbeat could not be sent")
        finally:
            self._sending.pop(page, None)


_heartbeats: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Heartbeats] = (
    weakref.WeakKeyDictionary()
)


def heartbeats() -> Heartbeats:
    """Return the heartbeats of the running event loop. Create them on first use."""
    return _heartbeats.setdefault(asyncio.get_running_loop(), Heartbeats())


class ParlourConsumer(AsyncWebsocketConsumer):
    """A socket that is counted, has a frame rate limit and is always cleaned up.

    Subclasses implement `opened`, `handle`, `closed` and `flooded`.
    """

    channel_layer_alias = "none"
    """Sockets have no channel. The hub listens to the channel layer for all of them."""
    counted_as = ""
    """Label in the metric of open connections. If it is empty, the name of the class is used."""
    rate: Rate

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run Channels' message loop, and clean up afterwards.

        Channels does not call `disconnect` if a handler fails or the server cancels the loop.
        """
        name = self.counted_as or type(self).__name__.removesuffix("Consumer").lower()
        open_ = figures.connections.labels(name)
        open_.inc()
        try:
            await super().__call__(scope, receive, send)
        finally:
            open_.dec()
            connection_limiter.release(self)
            heartbeats().stop(self)
            await self.closed()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Pass a message to its handler.

        Channels would first close old database connections, in a thread shared by all sockets. That
        would take a fifth of the time of a move, and the threads that read the database already do
        it (`games.engine.reading`).
        """
        if settings.FAST_PATHS:
            await getattr(self, message["type"].replace(".", "_"))(message)
        else:
            await super().dispatch(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """End the consumer at once. There are no groups to leave, and `closed` cleans up."""
        raise StopConsumer

    async def connect(self) -> None:
        self.rate = Rate()
        await self.accept()
        await self.opened()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a frame. The server reads the next frame only afterwards."""
        if self.rate.take():
            await self.handle(text_data)
        else:
            self.flooded()

    async def opened(self) -> None:
        """Send the first message, and start listening for changes."""
        raise NotImplementedError

    async def handle(self, text: str | None) -> None:
        """Handle a frame. The text is None for a binary frame."""
        raise NotImplementedError

    async def closed(self) -> None:
        """Stop listening for changes.

        This is called once, even if `opened` has failed or was not called.
        """
        raise NotImplementedError

    def flooded(self) -> None:
        """End the connection, because frames arrive faster than the rate limit allows."""
        raise NotImplementedError

    def start_heartbeat(self) -> None:
        """Send a heartbeat every HEARTBEAT_SECONDS from now on.

        Only pages get one. Their script treats a connection as dead if it receives nothing for
        45 seconds (static/connection.js).
        """
        heartbeats().start(self)
