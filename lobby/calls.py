"""Who of those with a page open is concerned when a room changes: its people, and those asked in.

Anyone who looks at any page hears of their tables; what happens elsewhere costs them nothing.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from games.engine.reading import in_thread
from games.models import Invitation, Member
from games.sockets.hub import Hub, hub

log = logging.getLogger(__name__)

GATHER = 0.2
"""Seconds in which changes are gathered before anybody is looked up."""


class Listener(Protocol):
    """A page of somebody; `rooms` are those it shows, `at_room` the one it stands at."""

    user_id: int
    rooms: frozenset[int]
    at_room: int | None

    def call(self) -> None:
        """Something has changed in a room of this person's."""


class Calls:
    """The pages of this process that want to know."""

    def __init__(self) -> None:
        self._here: set[Listener] = set()
        self._changed: set[int] = set()
        self._telling: asyncio.Task[None] | None = None
        hub().on_any_change(self._note)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call this page from now on; return what ends that."""
        self._here.add(listener)
        return lambda: self._here.discard(listener)

    def _note(self, room_id: int) -> None:
        if not self._here:
            return
        self._changed.add(room_id)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        while self._changed:
            await asyncio.sleep(GATHER)
            rooms, self._changed = self._changed, set()
            try:
                people = await in_thread(concerned, rooms)
            except Exception:
                log.exception("nobody could be told of %s rooms", len(rooms))
                continue
            for listener in tuple(self._here):
                theirs = people.get(listener.user_id, set()) | (listener.rooms & rooms)
                if theirs - {listener.at_room}:
                    listener.call()


def concerned(rooms: Iterable[int]) -> Mapping[int | None, set[int]]:
    """In which of these rooms somebody sits, or is asked to, by person."""
    present = Member.objects.filter(room__in=rooms, left_at=None, user__isnull=False)
    asked = Invitation.objects.filter(room__in=rooms)
    found: defaultdict[int | None, set[int]] = defaultdict(set)
    for of in (present, asked):
        for user_id, room_id in of.values_list("user_id", "room_id"):
            found[user_id].add(room_id)
    return found


_of: weakref.WeakKeyDictionary[Hub, Calls] = weakref.WeakKeyDictionary()


def calls() -> Calls:
    """Those of the running event loop."""
    if hub() not in _of:
        _of[hub()] = Calls()
    return _of[hub()]
