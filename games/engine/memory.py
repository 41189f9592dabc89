"""In-memory cache of the rooms this process serves, as last committed.

The rooms that it shows stay until nobody watches them here: their pages hold them in memory anyway,
and reading them again for each move would more than double its cost. All others share MOST_BYTES.

A cached room may lag behind writes of other processes. That is safe:

* An act is written only if its match is still at the expected version.
* A move is refused only after a check against the database (`games.engine.matches`).
* Rooms changed by other processes are reloaded (`games.sockets.hub`).
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
"""Maximum memory for rooms that nobody watches here."""
MOST_CHANGES = 5000
"""Maximum number of rooms whose last change is remembered. Each takes two integers."""


class ServedRoom(Protocol):
    """Immutable snapshot of a room (`games.tables.table.Table`)."""

    @property
    def room_id(self) -> int: ...

    @property
    def match(self) -> MatchSnapshot | None:
        """The running or last match, or None before the first match and while the match is
        parked.
        """

    @property
    def looking(self) -> Iterable[int | None]:
        """User ids of everybody with an open page of the room."""

    @property
    def has_screen(self) -> bool:
        """Whether a big screen shows the room."""

    @property
    def present(self) -> Iterable[int | None]:
        """User ids of everybody connected to the room."""

    @property
    def size(self) -> int:
        """Approximate size in memory, in bytes."""

    def advanced(self, match: MatchSnapshot, act: ToldAct) -> ServedRoom | None:
        """Return the room after an act that changed only its match, or None if acts are missing."""


class RoomMemory:
    """Thread-safe cache of rooms by id: those shown here, and the last used of the others."""

    def __init__(self) -> None:
        self._shown: dict[int, ServedRoom | None] = {}
        """The rooms shown here. None means that the room must be read."""
        self.held: BoundedCache[int, ServedRoom] = BoundedCache(
            MOST_BYTES, lambda room: room.size, _parts_of
        )
        self._changed: OrderedDict[int, int] = OrderedDict()
        """The ticket of the last change of each room, for the rooms that changed last."""
        self._ticket = 0
        self._lock = threading.Lock()
        self._staged = _Staged()

    def get(self, room_id: int) -> ServedRoom | None:
        """Return the room, including uncommitted changes of this transaction, or None if it is not
        cached.
        """
        if room_id in self._staged.rooms:
            return self._staged.rooms[room_id]
        return self._shown.get(room_id) or self.held.get(room_id)

    def rooms(self) -> list[ServedRoom]:
        """Return all cached rooms."""
        with self._lock:
            return [*filter(None, self._shown.values()), *self.held.values()]

    def begin_showing(self, room_id: int) -> None:
        """Keep a room, whatever its size, until `stop_showing` is called."""
        with self._lock:
            if room_id not in self._shown:
                self._shown[room_id] = self.held.get(room_id)
                self.held.evict(room_id)

    def stop_showing(self, room_id: int) -> None:
        """Keep a room only as long as there is space."""
        with self._lock:
            room = self._shown.pop(room_id, None)
            if room is not None:
                self.held.put(room_id, room)

    def _keep(self, room_id: int, room: ServedRoom | None) -> None:
        if room_id in self._shown:
            self._shown[room_id] = room
        elif room is None:
            self.held.evict(room_id)
        else:
            self.held.put(room_id, room)

    def ticket(self) -> int:
        """Return a ticket for `put`. Take it before reading a room, so that `put` notices later
        changes.
        """
        with self._lock:
            return self._ticket

    def put(self, room: ServedRoom, ticket: int) -> None:
        """Cache a room that was read, unless it has changed since the ticket was taken."""
        with self._lock:
            if self._changed.get(room.room_id, 0) <= ticket:
                self._keep(room.room_id, room)

    def evict(self, room_id: int) -> None:
        """Remove a room, so that it is read again."""
        self.commit(room_id, None)

    def stage(self, room_id: int, room: ServedRoom | None) -> None:
        """Record the room as changed by the running transaction.

        None means that it must be read again.
        """
        self._staged.rooms[room_id] = room

    def unstage(self) -> None:
        """Discard staged rooms after a rollback or at the end of a transaction."""
        self._staged.rooms.clear()

    def commit(self, room_id: int, room: ServedRoom | None) -> None:
        """Publish a room after its transaction was committed.

        None means that it must be read again.
        """
        self._staged.rooms.pop(room_id, None)
        with self._lock:
            self._ticket += 1
            self._changed[room_id] = self._ticket
            self._changed.move_to_end(room_id)
            while len(self._changed) > MOST_CHANGES:
                self._changed.popitem(last=False)
            self._keep(room_id, room)


def _parts_of(room: ServedRoom) -> Iterable[Any]:
    return room.match.parts if room.match is not None else ()


class _Staged(threading.local):
    """Rooms changed by the running transaction of this thread."""

    def __init__(self) -> None:
        self.rooms: dict[int, ServedRoom | None] = {}


memory = RoomMemory()
