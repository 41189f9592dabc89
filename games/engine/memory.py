"""The rooms this process serves, each as it was committed last: held here instead of read again.

A room held here may be behind what another process has written. That is safe: an act is written
only where its match is still at the version it was made for, a refusal is told only after a look at
the database (`games.engine.matches`), and what others write is read anew (`games.sockets.hub`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Protocol

from games.engine.bounded_cache import BoundedCache
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct

MOST_BYTES = 128 << 20
"""Maximum memory for the rooms held here; about 300 tables with ten pages each."""
FORGOTTEN = 5000
"""Maximum number of rooms whose last change is remembered: two integers each."""


class ServedRoom(Protocol):
    """A room at one moment, immutable (`games.tables.table.Table`)."""

    @property
    def room_id(self) -> int: ...

    @property
    def match(self) -> MatchSnapshot | None:
        """The running or last match; None before the first, and while it is parked."""

    @property
    def looking(self) -> Iterable[int | None]:
        """Who has a page of the room open."""

    @property
    def present(self) -> Iterable[int | None]:
        """Who is connected."""

    @property
    def size(self) -> int:
        """Approximate size in memory, in bytes."""

    def advanced(self, match: MatchSnapshot, act: ToldAct) -> ServedRoom | None:
        """The room after an act that changed nothing but its match; None where it does not fit."""


class RoomMemory:
    """Rooms by id, those used last. Several threads share it."""

    def __init__(self) -> None:
        self.held: BoundedCache[int, ServedRoom] = BoundedCache(
            MOST_BYTES, lambda room: room.size, _parts_of
        )
        self._changed: OrderedDict[int, int] = OrderedDict()
        self._ticket = 0
        self._lock = threading.Lock()
        self._here = _Staged()

    def get(self, room_id: int) -> ServedRoom | None:
        """The room; within a transaction as this transaction leaves it. None: read it."""
        if room_id in self._here.rooms:
            return self._here.rooms[room_id]
        return self.held.get(room_id)

    def ticket(self) -> int:
        """To be taken before a room is read, and given back with it (`put`)."""
        with self._lock:
            return self._ticket

    def put(self, room: ServedRoom, ticket: int) -> None:
        """Hold a room that was read, unless it has changed since the ticket was taken."""
        with self._lock:
            if self._changed.get(room.room_id, 0) <= ticket:
                self.held.put(room.room_id, room)

    def evict(self, room_id: int) -> None:
        """Let a room be read anew."""
        self.commit(room_id, None)

    def stage(self, room_id: int, room: ServedRoom | None) -> None:
        """The running transaction changes a room: into this one, or into one that is to be read."""
        self._here.rooms[room_id] = room

    def unstage(self) -> None:
        """The running transaction, or a part of it, was rolled back, or is over."""
        self._here.rooms.clear()

    def commit(self, room_id: int, room: ServedRoom | None) -> None:
        """What was staged is committed."""
        self._here.rooms.pop(room_id, None)
        with self._lock:
            self._ticket += 1
            self._changed[room_id] = self._ticket
            self._changed.move_to_end(room_id)
            while len(self._changed) > FORGOTTEN:
                self._changed.popitem(last=False)
            if room is None:
                self.held.evict(room_id)
            else:
                self.held.put(room_id, room)


def _parts_of(room: ServedRoom) -> Iterable[Any]:
    return room.match.parts if room.match is not None else ()


class _Staged(threading.local):
    """What the running transaction of a thread changes."""

    def __init__(self) -> None:
        self.rooms: dict[int, ServedRoom | None] = {}


memory = RoomMemory()
