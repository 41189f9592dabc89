"""What both kinds of socket at a table share: an outbox, a place in the hub, an end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

from accounts import addresses
from games.sockets.announcements import Alert
from games.sockets.connections import Socket, connection_limiter
from games.sockets.hub import hub
from games.sockets.outbox import GONE, Outbox
from games.tables.table import Table

log = logging.getLogger(__name__)

HELD_BYTES = 64 * 1024
"""Maximum size of the frames that a socket holds back (`RoomConsumer.hold`)."""
PATIENCE = 2.0
READ_ON = 0.1
"""So many seconds what still comes is read before a close: unread, it would cost the close code."""


class RoomConsumer(Socket):
    """A socket of somebody in a room, or on the way there."""

    user_id: int = 0
    room_id: int | None = None
    is_page = False
    is_screen = False
    one_too_many = "too_many_sockets"
    """The sentence for a socket beyond what its person, its address or its room may have."""
    ended = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held: dict[asyncio.Task[None], asyncio.Event] = {}
        self.held_bytes = 0
        self.outbox = Outbox(self.line, self.transmit)

    async def connect(self) -> None:
        self.outbox = Outbox(self.line, self.transmit, self._catch_up)
        await self.accept()
        if connection_limiter.acquire(self, address=addresses.of_scope(self.scope)):
            await self.greet()
            hub().broadcaster.listen(self)
        else:
            self.too_many()

    async def disconnect(self, code: int) -> None:
        for task in self.held:
            task.cancel()
        hub().broadcaster.drop(self)
        hub().credentials.drop(self)
        if self.room_id is not None:
            hub().leave(self.room_id, self)
        await self.outbox.discard()

    def came_with(self, now: Table) -> bool:
        """Whether it has this moment of the table (`games.sockets.watched_room.Watcher`)."""
        return False

    async def greet(self) -> None:
        """Send the first packet or page, once the connection is open."""
        raise NotImplementedError

    def too_many(self) -> None:
        """Close with a sentence: this person, or this address, has enough sockets."""
        self.warn(self.one_too_many)
        self._end(4008)

    def warn(self, code: str) -> None:
        """Say a sentence of the house to who is connected."""
        raise NotImplementedError

    @property
    def person(self) -> int | None:
        """For whom this socket speaks (`games.sockets.announcements.Listener`)."""
        return self.user_id or None

    def on_announcement(self, alert: Alert) -> None:
        """Take what a moderator says."""
        raise NotImplementedError

    def on_ban(self, alert: Alert) -> None:
        """The person is locked out. At a table, the diff of the table says so and ends it."""
        if self.room_id is None and not self.ended:
            self.on_announcement(alert)
            self._end(4003)

    def put(self, *frames: str) -> None:
        """Send frames; if too much waits already, the connection is closed."""
        if not self.outbox.put(*frames):
            self._end(4008)

    def put_update(self, frames: bytes) -> None:
        """Send frames of a changed table (`games.wire.framing`). A reader that does not keep up
        is shown the whole table instead, as soon as it has read what waits."""
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
        """Show the table as it is to a reader that has missed what led to it."""
        raise NotImplementedError

    async def ready_to_read(self) -> None:
        """Nothing more is read from a socket that does not read what it is sent itself."""
        if not self.ended:
            await self.outbox.caught_up()

    def close_for_reconnect(self) -> None:
        """This connection speaks for nobody any more; the person comes back by a new one."""
        self.forget_room()
        self._end(1001)

    def forget_room(self) -> None:
        """Is shown nothing of the room any more; what is held was meant for no other."""
        if self.room_id is not None:
            hub().leave(self.room_id, self)
        self.room_id = None
        for is_due in self.held.values():
            is_due.set()

    def _end(self, code: int) -> None:
        """Close the connection once what is queued has gone out; nothing is read any more."""
        if self.ended:
            return
        self.ended = True
        self._closing = asyncio.get_running_loop().create_task(self._close_after(code))

    def flooded(self) -> None:
        """End the connection (`games.sockets.inbox`)."""
        self._end(4008)

    def hold(self, frame: str | None, seconds: float) -> bool:
        """Take a frame again after a while; until then nothing of it is done or acknowledged.
        False if too many are held already."""
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
        await self.receive(text_data=frame)

    async def _close_after(self, code: int) -> None:
        await self.drained()
        await asyncio.sleep(READ_ON)
        with contextlib.suppress(*GONE):
            await self.close(code)

    async def drained(self) -> None:
        """Wait until what is queued has gone out (before a close), but not for ever."""
        await self.outbox.drained(PATIENCE)
