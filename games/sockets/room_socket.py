"""Base class of the sockets in a room: outbox, registration with the hub, and closing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any

from accounts import addresses
from games.sockets.announcements import Alert
from games.sockets.connections import ParlourConsumer, connection_limiter
from games.sockets.hub import hub
from games.sockets.outbox import GONE, WRITE, Outbox
from games.tables.table import Table

log = logging.getLogger(__name__)

HELD_BYTES = 64 * 1024
"""Maximum bytes of frames that a socket holds back (`RoomConsumer.hold`)."""
PATIENCE = 2.0
READ_ON = 0.1
"""Seconds for which input is read before a close. Unread input would lose the close code."""


class RoomConsumer(ParlourConsumer):
    """A socket of a user who is in a room or is about to join one."""

    user_id: int = 0
    room_id: int | None = None
    is_page = False
    is_screen = False
    limit_code = "too_many_sockets"
    """Code of the message for a socket that exceeds a limit of its user, address or room."""
    ended = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held: dict[asyncio.Task[None], asyncio.Event] = {}
        self.held_bytes = 0
        self.outbox = Outbox(self.transmit, self._catch_up)

    async def connect(self) -> None:
        write = self.scope.get("extensions", {}).get(WRITE)
        self.outbox = Outbox(self.transmit, self._catch_up, write)
        await super().connect()

    async def transmit(self, frame: str) -> None:
        """Send a frame. Wait if the reader is slow."""
        await self.send(text_data=frame)

    async def opened(self) -> None:
        if connection_limiter.acquire(self, address=addresses.of_scope(self.scope)):
            await self.greet()
            hub().broadcaster.listen(self)
        else:
            self.too_many()

    async def closed(self) -> None:
        for task in self.held:
            task.cancel()
        hub().broadcaster.drop(self)
        hub().credentials.drop(self)
        if self.room_id is not None:
            hub().leave(self.room_id, self)
        await self.outbox.discard()

    def already_shows(self, now: Table) -> bool:
        """Whether the client already has this table (`games.sockets.watched_room.Watcher`)."""
        return False

    async def greet(self) -> None:
        """Send the first packet or page after the connection was opened."""
        raise NotImplementedError

    def too_many(self) -> None:
        """Close the connection with a message, because the user, address or room has too many
        sockets.
        """
        self.warn(self.limit_code)
        self._end(4008)

    def warn(self, code: str) -> None:
        """Show the client the message with this code."""
        raise NotImplementedError

    @property
    def person(self) -> int | None:
        """User id of the socket's owner (`games.sockets.announcements.Listener`)."""
        return self.user_id or None

    def on_announcement(self, alert: Alert) -> None:
        """Show an announcement."""
        raise NotImplementedError

    def on_ban(self, alert: Alert) -> None:
        """Outside a room, tell a banned user why and close the connection. In a room, the removal
        of the member does this.
        """
        if self.room_id is None and not self.ended:
            self.on_announcement(alert)
            self._end(4003)

    def put(self, *frames: str) -> None:
        """Send frames. Close the connection if too much is queued."""
        if not self.outbox.put(*frames):
            self._end(4008)

    def put_update(self, frames: Sequence[str]) -> None:
        """Send the frames that update a changed table.

        A slow reader gets the whole table instead, as soon as it has read the queue.
        """
        self.outbox.put_update(frames)

    def _catch_up(self) -> None:
        table = hub().table(self.room_id) if self.room_id is not None else None
        if table is None or self.ended:
            return
        try:
            self.show_whole(table)
        except Exception:
            log.exception("room %s could not be shown", table.room.pk)

    def show_whole(self, now: Table) -> None:
        """Send the whole table to a reader that has missed updates."""
        raise NotImplementedError

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a frame once the client has read everything that was sent to it."""
        if not self.ended:
            await self.outbox.caught_up()
        if not self.ended:
            await super().receive(text_data, bytes_data)

    def close_for_reconnect(self) -> None:
        """Close a connection that may no longer act for its user. The client then reconnects."""
        self.forget_room()
        self._end(1001)

    async def enter_room(self) -> None:
        """Show the room, unless the socket has left it while it was opened, as after a logout.

        Nothing would remove it from the hub, and its user would count as present.
        """
        if self.room_id is not None:
            await hub().enter(self.room_id, self)

    def forget_room(self) -> None:
        """Leave the room in the hub. Handle all delayed frames at once."""
        if self.room_id is not None:
            hub().leave(self.room_id, self)
        self.room_id = None
        for is_due in self.held.values():
            is_due.set()

    def _end(self, code: int) -> None:
        """Send the queued frames, then close the connection. Input is ignored from now on."""
        if self.ended:
            return
        self.ended = True
        self._closing = asyncio.get_running_loop().create_task(self._close_after(code))

    def flooded(self) -> None:
        """Close the connection, because it sends too many frames."""
        self._end(4008)

    def hold(self, frame: str | None, seconds: float) -> bool:
        """Handle a frame again after `seconds`. Until then, it is neither carried out nor
        acknowledged.

        Return False if too many bytes are already held.
        """
        size = len((frame or "").encode(errors="replace"))
        if self.held_bytes + size > HELD_BYTES:
            return False
        self.held_bytes += size
        is_due = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._take_later(frame, seconds, is_due))
        self.held[task] = is_due
        task.add_done_callback(lambda done: self._let_go(done, size))
        return True

    def _let_go(self, task: asyncio.Task[None], size: int) -> None:
        del self.held[task]
        self.held_bytes -= size

    async def _take_later(self, frame: str | None, seconds: float, is_due: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await is_due.wait()
        if not self.ended:
            await self.handle(frame)

    async def _close_after(self, code: int) -> None:
        await self.drained()
        await asyncio.sleep(READ_ON)
        with contextlib.suppress(*GONE):
            await self.close(code)

    async def drained(self) -> None:
        """Wait until the queue has been sent, but at most PATIENCE seconds."""
        await self.outbox.drained(PATIENCE)
