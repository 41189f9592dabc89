"""The hub of a process: loads each changed room once, and shows it to the room's sockets.

Notifications name the changed room. The hub also compares versions with the database every two
seconds, so a lost notification only delays a change.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import weakref
from collections.abc import Callable, Collection, Coroutine, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum

from accounts import hashing
from games import rooms
from games.contract.core import Refused
from games.engine import figures, notifications
from games.engine.memory import memory
from games.engine.reading import in_thread
from games.engine.time_source import source
from games.models import Room
from games.sockets.announcements import AnnouncementBroadcaster
from games.sockets.api_clients import ApiClients
from games.sockets.channel_groups import ChannelGroups
from games.sockets.credentials import CredentialRegistry
from games.sockets.seekers import Seekers
from games.sockets.versions import Versions
from games.sockets.watched_room import RoomVersions, WatchedRoom, Watcher, versions_of
from games.tables.loading import load
from games.tables.table import Table

log = logging.getLogger(__name__)

POLL = 2.0
SHOWN_AWAY_AFTER = 8.0
PRESENCE_EVERY = 10.0
SUSPENDED = 2.0

SHOWN_EVERY = 0.005
"""Minimum seconds between two updates of a room. Acts within this time are shown in one update."""

CANCELLED_AGAIN = 1.0
"""Seconds after which a task that is still running is cancelled again."""


class Hub:
    """Shows rooms to the sockets of this process. Loads each changed room once for all of them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rooms: dict[int, WatchedRoom] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._groups = ChannelGroups(
            lambda: self._rooms.keys() | self._reported,
            self._on_room_changed,
            self._on_lists_changed,
        )
        self._on_lists: set[Callable[[Collection[int]], None]] = set()
        self._on_change: dict[Callable[[int], None], Callable[[], AbstractSet[int]]] = {}
        self._reported: AbstractSet[int] = frozenset()
        """Rooms for which listeners want every change."""
        self.credentials = CredentialRegistry()
        self.broadcaster = AnnouncementBroadcaster()
        self.api_clients = ApiClients()
        self.seekers = Seekers()
        self.versions = Versions()
        notifications.subscribe(self._on_notification)
        self._keep(self._poll())
        self._keep(self._record_presence())
        self._keep(self._groups.listen())
        self._keep(self.seekers.keep_renewing())
        self._keep(self.versions.keep_renewing())

    async def enter(self, room_id: int, watcher: Watcher) -> None:
        """Show the room, and every later change, to a socket."""
        watched = self._rooms.setdefault(room_id, WatchedRoom(room_id))
        memory.begin_showing(room_id)
        watched.arriving.append(watcher)
        log.info("OnConnect room=%s user=%s", room_id, watcher.user_id)
        await self._follow()
        await self._refresh(watched)

    def enter_from_memory(self, room_id: int, watcher: Watcher) -> bool:
        """Add a page that was loaded with the current table, without reading the database.

        Return False if `enter` must be called instead.
        """
        watched = self._rooms.get(room_id)
        if watched is None or not watched.add_if_current(watcher):
            return False
        log.info("OnConnect room=%s user=%s", room_id, watcher.user_id)
        return True

    def leave(self, room_id: int, watcher: Watcher) -> None:
        """Remove a socket. Show its user as away if they do not reconnect within 8 seconds."""
        watched = self._rooms.get(room_id)
        if watched is None:
            return
        if watcher in watched.arriving:
            watched.arriving.remove(watcher)
        watched.watchers.pop(watcher, None)
        log.info("OnDisconnect room=%s user=%s", room_id, watcher.user_id)
        away = self._screen_away(watched) if watcher.is_screen else None
        self._keep(away or self._user_away(watched, watcher.user_id))
        if not watched.watchers and not watched.arriving:
            watched.stop_waiting()
            self._rooms.pop(room_id, None)
            memory.stop_showing(room_id)
            self._forget(room_id)
            self._keep(self._follow())

    def table(self, room_id: int) -> Table | None:
        """Return the room as it was last shown, or None if this process does not show it."""
        watched = self._rooms.get(room_id)
        return watched.table if watched else None

    async def current(self, room_id: int) -> Table | None:
        """Show the current state of the room to all its sockets in this process, and return it.

        Return None if no socket of this process is in the room.
        """
        if watched := self._rooms.get(room_id):
            await self._refresh(watched)
            return watched.table
        return None

    def on_lists(self, listener: Callable[[Collection[int]], None]) -> Callable[[], None]:
        """Call `listener` with the ids of rooms changed by any process, except by acts.

        Return a function that unsubscribes.
        """
        self._on_lists.add(listener)
        return lambda: self._on_lists.discard(listener)

    def on_change(
        self, listener: Callable[[int], None], rooms: Callable[[], AbstractSet[int]]
    ) -> None:
        """Call `listener` with the id of a room after each change, including acts.

        All changes of `rooms()` are reported, and some of other rooms. A room that was added to
        `rooms()` is also reported at the next poll, because it may have changed before.
        """
        self._on_change[listener] = rooms

    async def close(self) -> None:
        """Stop listening, at the end of a process or a test."""
        notifications.unsubscribe(self._on_notification)
        self.seekers.close()
        self.versions.close()
        for watched in self._rooms.values():
            watched.stop_waiting()
            memory.stop_showing(watched.room_id)
        waiting = set(self._tasks)
        while waiting:  # some libraries lose a cancellation that coincides with a result
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=CANCELLED_AGAIN)
        await self._groups.close()

    def _on_notification(self, room_id: int, by_act: bool) -> None:
        """React to a commit of this process that changed a room. Called in the writer's thread."""
        if not self._loop.is_closed():
            since = time.monotonic()
            self._loop.call_soon_threadsafe(self._committed, room_id, since, by_act)

    def _committed(self, room_id: int, since: float, by_act: bool) -> None:
        self._groups.publish(room_id, since, by_act)
        if room_id not in self._rooms:
            self._forget(room_id)

    def _forget(self, room_id: int) -> None:
        """Evict a room that this process does not show, because this process is not told of changes
        made by others.
        """
        if settings.REDIS_URL:
            memory.evict(room_id)

    def _on_room_changed(self, room_id: int, since: float | None) -> None:
        """Show a changed room. `since` is the time of the commit, or None if another process made
        it.

        Acts of several players at the same time, such as votes, are shown together. The first is
        shown at once, and all others within SHOWN_EVERY in one update.
        """
        for listener in self._on_change:
            listener(room_id)
        watched = self._rooms.get(room_id)
        if watched is None:
            return
        if since is None:
            self._keep(self._refresh(watched))
            return
        if watched.waits is not None:
            return
        left = watched.shown_at + SHOWN_EVERY - self._loop.time()
        if left > 0:
            watched.waits = self._loop.call_later(left, self._show_here, watched, since)
        else:
            self._show_here(watched, since)

    def _on_lists_changed(self, rooms: Collection[int]) -> None:
        if notifications.SEEKS in rooms:
            self._keep(self.seekers.poll())
        if notifications.LADDER in rooms:
            self._keep(self.versions.poll())
        elsewhere = (notifications.SEEKS, notifications.LADDER)
        rooms = [room for room in rooms if room not in elsewhere]
        for listener in tuple(self._on_lists):
            listener(rooms)
        if notifications.EVERYBODY in rooms:
            self._keep(self.broadcaster.poll())

    async def _follow(self) -> None:
        """Join the channel groups of the rooms that this process shows."""
        try:
            await self._groups.follow()
        except Exception as error:  # the next poll retries this
            log.warning("notifications are interrupted", exc_info=error)

    def _show_here(self, watched: WatchedRoom, since: float) -> None:
        """Show the room from memory and measure the time since the commit.

        If it is not in memory, load it.
        """
        watched.waits = None
        if watched.show_from_memory():
            figures.shown_seconds.observe(time.monotonic() - since)
        else:
            self._keep(self._refresh(watched))

    async def _refresh(self, watched: WatchedRoom) -> None:
        """Load and show a room.

        Repeat this once for all notifications that arrive in the meantime.
        """
        watched.wanted = True
        async with watched.lock:
            while watched.wanted or watched.arriving:
                watched.wanted = False
                arrived = tuple(watched.arriving)
                ticket = memory.ticket()
                try:
                    now = await in_thread(
                        load, watched.room_id, watched.table, bool(arrived), watched.has_pages
                    )
                except Room.DoesNotExist:
                    return
                memory.put(now, ticket)
                watched.show(now, arrived)

    async def _poll(self) -> None:
        """Check regularly for changes made by other processes, in case a notification was lost."""
        while True:
            await asyncio.sleep(POLL)
            figures.hashing.set(hashing.waiting())
            for poll in (
                self._follow_again,
                self._poll_rooms,
                self.credentials.poll,
                self.api_clients.poll,
                self.seekers.poll,
                self.versions.poll,
                self.broadcaster.poll,
            ):
                try:
                    await poll()
                except Exception:
                    log.exception("changes of other processes could not be loaded")

    async def _follow_again(self) -> None:
        """Join some groups again, and the groups of rooms that listeners have added since."""
        before, self._reported = (
            self._reported,
            frozenset().union(*(of() for of in self._on_change.values())),
        )
        await self._groups.follow(again=True)
        for room_id in self._reported - before:
            for listener in self._on_change:
                listener(room_id)

    async def _poll_rooms(self) -> None:
        """Refresh the rooms whose versions have changed. They are found with one query."""
        known = {
            room_id: watched.versions
            for room_id, watched in self._rooms.items()
            if watched.versions is not None
        }
        behind = await in_thread(_behind, known)
        for room_id, versions in behind.items():
            is_here = versions_of(memory.get(room_id)) == versions  # not shown yet, or lost
            self._on_room_changed(room_id, time.monotonic() if is_here else None)
        if told := [pk for pk in behind if not self._is_parked(pk)]:
            self._on_lists_changed(told)

    def _is_parked(self, room_id: int) -> bool:
        """Whether a room has a match that cannot be read. Such a room would always count as
        outdated.
        """
        table = self.table(room_id)
        return table is not None and table.parked

    async def _record_presence(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_EVERY)
            try:
                if here := [pk for watched in self._rooms.values() for pk in watched.present()]:
                    await rooms.seen(here)
                if shown := [pk for pk, watched in self._rooms.items() if watched.has_screen]:
                    await rooms.screen_seen(shown)
            except Refused:  # the writer is busy and has logged the reason
                continue
            except Exception:
                log.exception("presence could not be recorded")

    async def _user_away(self, watched: WatchedRoom, user_id: int) -> None:
        await _while_awake(SHOWN_AWAY_AFTER)
        again = self._rooms.get(watched.room_id)
        if again is not None and again.has(user_id):
            return
        member = watched.table.member(user_id) if watched.table else None
        if member is not None:
            with contextlib.suppress(Refused):  # if busy, `games.rooms.cleanup` does it later
                await rooms.gone_away([member.pk])

    async def _screen_away(self, watched: WatchedRoom) -> None:
        await _while_awake(SHOWN_AWAY_AFTER)
        again = self._rooms.get(watched.room_id)
        if again is None or not again.has_screen:
            with contextlib.suppress(Refused):  # if busy, `games.rooms.cleanup` does it later
                await rooms.screen_gone(watched.room_id)

    def _keep(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _while_awake(seconds: float) -> None:
    """Sleep. If the process was suspended meanwhile, sleep again, because nobody could have
    reconnected.
    """
    was_suspended = True
    while was_suspended:
        before = source.monotonic()
        await asyncio.sleep(seconds)
        was_suspended = source.monotonic() - before > seconds + SUSPENDED


_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = weakref.WeakKeyDictionary()


def hub() -> Hub:
    """Return the hub for the running event loop. Create it on first use."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]


async def close_hub() -> None:
    """Close the hub of this event loop, if there is one."""
    if found := _hubs.pop(asyncio.get_running_loop(), None):
        await found.close()


def _behind(known: Mapping[int, RoomVersions]) -> dict[int, RoomVersions]:
    """Return the rooms that have different versions in the database, with these versions.

    Usually there are none. Versions only increase, so this shows in the number of rooms and in the
    sums of their versions, and no row is read.
    """
    if not known:
        return {}
    rooms = Room.objects.filter(pk__among=known)
    sums = rooms.aggregate(count=Count("pk"), rooms=Sum("version"), matches=Sum("match__version"))
    if (sums["count"], sums["rooms"] or 0, sums["matches"] or 0) == (
        len(known),
        sum(room for room, _ in known.values()),
        sum(match or 0 for _, match in known.values()),
    ):
        return {}
    found = rooms.values_list("pk", "version", "match__version")
    return {pk: (room, match) for pk, room, match in found if known[pk] != (room, match)}
