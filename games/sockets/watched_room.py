"""A room that sockets of this process look at, and who they are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Protocol

from games.engine.memory import memory
from games.tables.table import Table

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """A socket in a room."""

    user_id: int
    is_page: bool
    is_screen: bool

    def came_with(self, now: Table) -> bool:
        """Whether this moment of the table is what it has already."""

    def show(self, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
        """Take what is new; `memo` is shared by everybody who is shown this change."""


class WatchedRoom:
    """A room somebody looks at: the table as it was shown last."""

    def __init__(self, room_id: int) -> None:
        self.room_id = room_id
        self.table: Table | None = None
        self.watchers: dict[Watcher, None] = {}
        self.arriving: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.wanted = False
        self.shown_at = 0.0
        """When the room was shown last, by the clock of the loop."""
        self.waits: asyncio.TimerHandle | None = None
        """Shows what has come too soon after that."""

    def stop_waiting(self) -> None:
        """Nobody is to be shown anything any more."""
        if self.waits is not None:
            self.waits.cancel()

    def let_in(self, watcher: Watcher) -> bool:
        """Let somebody in who has all that is shown here; False where it is to be read for them."""
        if self.table is None or not self.table.for_pages or not watcher.came_with(self.table):
            return False
        self.watchers[watcher] = None
        _show(watcher, None, self.table, {})
        return True

    def show_at_hand(self) -> bool:
        """Show the room as it is held in memory; False where it has to be read."""
        held = memory.get(self.room_id)
        if self.table is None or not isinstance(held, Table):
            return False
        if self.lock.locked() or self.arriving:  # it is being read, and is read once more then
            return False
        now = held.since(self.table)
        if now is not None and now.acts:
            self.show(now, ())
        return now is not None

    def show(self, now: Table, arrived: Sequence[Watcher]) -> None:
        """Show it to everybody here, and whole to those who had arrived before it was loaded.

        Who came since is shown the next one: this one may not know them yet.
        """
        before, self.table = self.table, now
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
        """Whether this person has a socket here."""
        return any(w.user_id == user_id for w in (*self.watchers, *self.arriving))

    @property
    def has_pages(self) -> bool:
        """Whether somebody has a page open."""
        return any(watcher.is_page for watcher in (*self.watchers, *self.arriving))

    @property
    def has_screen(self) -> bool:
        """Whether a big screen shows it."""
        return any(watcher.is_screen for watcher in (*self.watchers, *self.arriving))

    def present(self) -> list[int]:
        """The member rows of everybody who has a socket here."""
        if self.table is None:
            return []
        here = {watcher.user_id for watcher in self.watchers}
        return [m.pk for m in self.table.members if m.user_id in here]


def _show(watcher: Watcher, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
    """One socket that cannot be shown a change must not keep it from the others."""
    try:
        watcher.show(before, now, memo)
    except Exception:
        log.exception("room %s could not be shown", now.room.pk)
