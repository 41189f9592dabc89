"""Notify the open pages of members and invited users when a room changes.

Each page is notified of its user's tables only, so other rooms cost it nothing.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from games.engine.reading import in_thread
from games.models import Invitation, Member
from games.sockets.hub import Hub, hub

log = logging.getLogger(__name__)


class Listener(Protocol):
    """An open page. `rooms` are the rooms it lists, and `at_room` is the room it shows, if any."""

    user_id: int
    rooms: frozenset[int]
    at_room: int | None

    def call(self) -> None:
        """Record that a room of this user has changed."""


class Calls:
    """The open pages of this process that listen for changes of rooms."""

    def __init__(self) -> None:
        self._here: set[Listener] = set()
        self._changed: set[int] = set()
        self._telling: asyncio.Task[None] | None = None
        hub().on_lists(self._note)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Register a page. Return a function that removes it."""
        self._here.add(listener)
        return lambda: self._here.discard(listener)

    def _note(self, rooms: Collection[int]) -> None:
        if not self._here:
            return
        self._changed.update(rooms)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        while self._changed:
            rooms, self._changed = self._changed, set()
            try:
                people = await in_thread(concerned, rooms)
            except Exception:
                log.exception("updates of %s rooms could not be announced", len(rooms))
                continue
            for listener in tuple(self._here):
                theirs = people.get(listener.user_id, set()) | (listener.rooms & rooms)
                if theirs - {listener.at_room}:
                    listener.call()


def concerned(rooms: Iterable[int]) -> Mapping[int | None, set[int]]:
    """Return, by user id, the rooms in which the user is a member or invited."""
    present = Member.objects.filter(room__in=rooms, left_at=None, user__isnull=False)
    asked = Invitation.objects.filter(room__in=rooms)
    found: defaultdict[int | None, set[int]] = defaultdict(set)
    for of in (present, asked):
        for user_id, room_id in of.values_list("user_id", "room_id"):
            found[user_id].add(room_id)
    return found


_of: weakref.WeakKeyDictionary[Hub, Calls] = weakref.WeakKeyDictionary()


def calls() -> Calls:
    """Return the `Calls` for the running event loop. Create it on first use."""
    if hub() not in _of:
        _of[hub()] = Calls()
    return _of[hub()]
