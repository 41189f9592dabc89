"""A room and the sockets of this process that show it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Protocol

from games.engine.memory import ServedRoom, memory
from games.tables.table import Table

log = logging.getLogger(__name__)

RoomVersions = tuple[int, int | None]
"""The versions of a room and of its match, if any."""


class Watcher(Protocol):
    """A socket that shows a room."""

    user_id: int
    is_page: bool
    is_screen: bool

    def already_shows(self, now: Table) -> bool:
        """Whether the client already has this table."""

    def show(self, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
        """Send what has changed. All watchers that are shown this change share `memo`."""


class WatchedRoom:
    """A room with its watchers, and the table as it was last shown."""

    def __init__(self, room_id: int) -> None:
        self.room_id = room_id
        self.table: Table | None = None
        self.versions: RoomVersions | None = None
        """The versions of `table`. The hub compares them with the database every two seconds."""
        self.watchers: dict[Watcher, None] = {}
        self.arriving: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.wanted = False
        self.shown_at = 0.0
        """Time of the event loop when the room was last shown."""
        self.waits: asyncio.TimerHandle | None = None
        """Timer for acts that followed too soon after the last update."""

    def stop_waiting(self) -> None:
        """Cancel the timer of the next update."""
        if self.waits is not None:
            self.waits.cancel()

    def add_if_current(self, watcher: Watcher) -> bool:
        """Add a watcher whose client has the current table. Return False if the table must be
        loaded.
        """
        if self.table is None or not self.table.for_pages or not watcher.already_shows(self.table):
            return False
        self.watchers[watcher] = None
        _show(watcher, None, self.table, {})
        return True

    def show_from_memory(self) -> bool:
        """Show the room from memory. Return False if it must be loaded from the database."""
        held = memory.get(self.room_id)
        if self.table is None or not isinstance(held, Table):
            return False
        if self.lock.locked() or self.arriving:  # a load is running, and will be repeated
            return False
        now = held.since(self.table)
        if now is not None and now.acts:
            self.show(now, ())
        return now is not None

    def show(self, now: Table, arrived: Sequence[Watcher]) -> None:
        """Show the changes to all watchers, and the whole table to those that have just arrived
        (`arrived`).

        Watchers that arrived after the load get the next table, because this table may not contain
        them.
        """
        before, self.table = self.table, now
        self.versions = versions_of(now)
        self.shown_at = asyncio.get_running_loop().time()
        memo: dict[Any, Any] = {}
        for watcher in tuple(self.watchers):
            _show(watcher, before, now, memo)
        arrived = [watcher for watcher in arrived if watcher in self.arriving]
        self.arriving = [watcher for watcher in self.arriving if watcher not in arrived]
        self.watchers.update(dict.fromkeys(arrived))
        for watcher in arrived:
            _show(watcher, None, now, memo)

    def has(self, user_id: int) -> bool:
        """Whether one of the room's sockets belongs to this user."""
        return any(w.user_id == user_id for w in (*self.watchers, *self.arriving))

    @property
    def has_pages(self) -> bool:
        """Whether any watcher is a page."""
        return any(watcher.is_page for watcher in (*self.watchers, *self.arriving))

    @property
    def has_screen(self) -> bool:
        """Whether any watcher is a big screen."""
        return any(watcher.is_screen for watcher in (*self.watchers, *self.arriving))

    def present(self) -> list[int]:
        """Return the ids of the members who have a socket in the room."""
        if self.table is None:
            return []
        here = {watcher.user_id for watcher in self.watchers}
        return [m.pk for m in self.table.members if m.user_id in here]


def versions_of(room: ServedRoom | None) -> RoomVersions | None:
    """Return the versions of a loaded room, or None if it is not loaded."""
    if not isinstance(room, Table):
        return None
    return room.room.version, room.match.row.version if room.match else None


def _show(watcher: Watcher, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
    """Show a change to one watcher. Log its errors, so that they do not affect the others."""
    try:
        watcher.show(before, now, memo)
    except Exception:
        log.exception("room %s could not be shown", now.room.pk)
