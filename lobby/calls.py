"""Notify the open pages of members, invited users and friends when a room changes.

Each page is notified of its user's tables, and of friends who sit down or leave. It does
nothing for other rooms.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from accounts import following
from games.engine.reading import in_thread
from games.models import Invitation, Member
from games.sockets.hub import Hub, hub
from games.sockets.seekers import Seeker
from lobby.friends import Friends

log = logging.getLogger(__name__)

GONE_AFTER = 8.0
"""Seconds in which somebody who has closed a page may open the next one."""
GATHER = 0.2
"""Seconds during which changes are collected before pages are told of them."""
Seat = tuple[int, int]
"""A user id and the id of a room in which the user is connected."""


@dataclass(frozen=True)
class Concerned:
    """People affected by changed rooms: rooms by the id of a member or invited user, and seats."""

    people: Mapping[int | None, AbstractSet[int]]
    seated: frozenset[Seat]


NOBODY = Concerned({}, frozenset())


class Listener(Seeker, Protocol):
    """An open page. `rooms` are the rooms it lists, and `at_room` is the room it shows, if any."""

    rooms: frozenset[int]
    at_room: int | None
    friends: Friends

    def call(self) -> None:
        """Record that a room of this user has changed."""


class Calls:
    """The open pages of this process that listen for changes of rooms."""

    def __init__(self) -> None:
        self._here: set[Listener] = set()
        self._changed: set[int] = set()
        self._acted: set[int] = set()
        """Listed rooms whose match may have changed."""
        self._listed: frozenset[int] = frozenset()
        """The rooms that the pages of this process list."""
        self._leaving: set[asyncio.Task[None]] = set()
        self._telling: asyncio.Task[None] | None = None
        hub().on_lists(self._note)
        hub().on_change(self._note_change, self._rooms)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Register a page. Return a function that removes it."""
        self._here.add(listener)
        hub().seekers.add(listener)

        def stop() -> None:
            self._here.discard(listener)
            hub().seekers.remove(listener)

        return stop

    def has_closed(self, user_id: int) -> None:
        """Record that a user has closed a page, and soon may have none open."""
        leaving = asyncio.get_running_loop().create_task(self._maybe_gone(user_id))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _maybe_gone(self, user_id: int) -> None:
        await asyncio.sleep(GONE_AFTER)
        if all(listener.user_id != user_id for listener in self._here):
            await in_thread(following.go, user_id)
            self.has_moved(user_id)

    def has_moved(self, user_id: int) -> None:
        """Notify the pages of this process that show whether this user is here.

        Pages of other processes notice it within a minute (`lobby.parts.AT_LEAST_EVERY`).
        """
        for listener in tuple(self._here):
            if user_id in listener.friends.visible:
                listener.call()

    def _rooms(self) -> frozenset[int]:
        """Return the rooms that the pages of this process list."""
        self._listed = frozenset[int]().union(*(listener.rooms for listener in self._here))
        return self._listed

    def _note(self, rooms: Collection[int]) -> None:
        self._changed.update(rooms if self._here else ())
        self._begin_telling()

    def _note_change(self, room_id: int) -> None:
        if room_id in self._listed:  # most acts happen at tables that no page lists
            self._acted.add(room_id)
            self._begin_telling()

    def _begin_telling(self) -> None:
        if self._here and (self._telling is None or self._telling.done()):
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        while self._changed or self._acted:
            await asyncio.sleep(GATHER)
            rooms, acted = self._changed, self._acted
            self._changed, self._acted = set(), set()
            try:
                found = await in_thread(concerned, rooms) if rooms else NOBODY
            except Exception:
                log.exception("updates of %s rooms could not be announced", len(rooms))
                found = NOBODY
            changed = rooms | acted
            for listener in tuple(self._here):
                listed = listener.rooms & changed
                theirs = found.people.get(listener.user_id, set()) | listed
                elsewhere = theirs - {listener.at_room}
                friends = listener.friends
                has_friends = friends.visible or friends.at
                if elsewhere or (has_friends and _have_moved(friends, found.seated, rooms)):
                    listener.call()


def concerned(rooms: Iterable[int]) -> Concerned:
    """Return who is a member of these rooms or invited to them, and who of the members is here."""
    present = Member.objects.filter(room__in=rooms, left_at=None, user__isnull=False)
    members = list(present.values_list("user_id", "room_id", "away_since"))
    asked = Invitation.objects.filter(room__in=rooms).values_list("user_id", "room_id")
    found: defaultdict[int | None, set[int]] = defaultdict(set)
    for user_id, room_id in (*((user, room) for user, room, _ in members), *asked):
        found[user_id].add(room_id)
    seated = frozenset((user, room) for user, room, away in members if user and away is None)
    return Concerned(found, seated)


def _have_moved(friends: Friends, seated: AbstractSet[Seat], rooms: AbstractSet[int]) -> bool:
    """Whether friends have sat down in one of these rooms or left it since they were shown."""
    now = {seat for seat in seated if seat[0] in friends.visible}
    return now != {seat for seat in friends.at if seat[1] in rooms}


_of: weakref.WeakKeyDictionary[Hub, Calls] = weakref.WeakKeyDictionary()


def calls() -> Calls:
    """Return the `Calls` for the running event loop. Create it on first use."""
    if hub() not in _of:
        _of[hub()] = Calls()
    return _of[hub()]
