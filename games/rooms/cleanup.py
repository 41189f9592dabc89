"""Cleaning up rooms in which players, hosts or all members are absent.

The leading process finds the rooms that are due with queries and cleans up a few at a time, so that
moves can be written in between. After its cleanup, a room must no longer be due.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.engine import time_source
from games.engine.writer import command
from games.models import Member, Room
from games.rooms.members import changed, ensure_host
from games.rooms.warm_seats import cold, keep_warm

log = logging.getLogger(__name__)

UNHEARD_OF = timedelta(seconds=25)
TO_SPECTATOR = timedelta(seconds=60)
TO_LEAVING = timedelta(minutes=10)
HOST_OPEN = timedelta(seconds=60)
HOST_PLAYING = timedelta(seconds=120)
CLOSE_OPEN = timedelta(minutes=30)
CLOSE_FINISHED = timedelta(hours=24)

AT_ONCE = 10
"""Maximum rooms cleaned up in one job of the writer."""
BETWEEN = (Room.Status.OPEN, Room.Status.FINISHED)
PRESENT = Member.objects.filter(left_at=None)


class Cleanup:
    """Cleans up rooms that are due. A room that fails is logged once and then skipped."""

    def __init__(self) -> None:
        self._failed: set[int] = set()

    def run(self, now: datetime | None = None, stopped: Callable[[], bool] = lambda: False) -> None:
        """Clean up all rooms that are due, in portions. The work is done by the writer."""
        now = now or time_source.now()
        rooms = [room_id for room_id in due(now) if room_id not in self._failed]
        for start in range(0, len(rooms), AT_ONCE):
            if stopped():
                return
            self._failed |= clean_up_rooms(now, rooms[start : start + AT_ONCE]).result()


def due(now: datetime) -> list[int]:
    """Return the ids of rooms that are due for cleanup, in order."""
    first, *rest = _due(now)
    found = first.union(*rest, all=True)  # to sort in SQL, SQLite would read all rooms
    return sorted(set(found.values_list("room_id", flat=True)))


@command
def clean_up_rooms(now: datetime, rooms: Sequence[int]) -> set[int]:
    """Clean up these rooms, except locked ones. Return the ids of those that failed."""
    failed = set()
    for room in (
        Room.objects.select_for_update(skip_locked=True).filter(pk__in=rooms).order_by("pk")
    ):
        try:
            with transaction.atomic():
                _clean_up(room, now)
        except DatabaseError:
            raise
        except Exception:
            log.exception("room %s could not be cleaned up", room.pk)
            failed.add(room.pk)
    return failed


def _due(now: datetime) -> Iterator[QuerySet[Any, Any]]:
    """Yield queries for rooms due for cleanup. Each uses an index, so idle rooms cost nothing."""
    yield _silent(now).values("room_id")
    away = PRESENT.filter(room__status__in=BETWEEN)
    yield away.filter(away_since__lt=now - TO_LEAVING).values("room_id")
    yield away.filter(away_since__lt=now - TO_SPECTATOR, spectator=False).values("room_id")
    heirs = Member.objects.filter(room=OuterRef("room"), left_at=None, bot="", away_since=None)
    yield _absent_hosts(now).filter(Exists(heirs)).values("room_id")
    yield _empty(now).annotate(room_id=F("pk")).values("room_id")
    yield cold(now).values("room_id")
    dark = Room.objects.filter(screen_seen_at__lt=now - UNHEARD_OF)
    yield dark.annotate(room_id=F("pk")).values("room_id")


def _silent(now: datetime) -> QuerySet[Member]:
    """Return members who still count as present although the process that served them has died."""
    return PRESENT.filter(bot="", away_since=None, seen_at__lt=now - UNHEARD_OF)


def _absent_hosts(now: datetime) -> QuerySet[Member]:
    open_ = Q(room__status__in=BETWEEN, away_since__lt=now - HOST_OPEN)
    playing = Q(room__status=Room.Status.PLAYING, away_since__lt=now - HOST_PLAYING)
    return PRESENT.filter(open_ | playing, user_id=F("room__host_id"))


def _empty(now: datetime) -> QuerySet[Room]:
    open_ = Q(status=Room.Status.OPEN, empty_since__lt=now - CLOSE_OPEN)
    finished = Q(status=Room.Status.FINISHED, empty_since__lt=now - CLOSE_FINISHED)
    return Room.objects.filter(open_ | finished)


def _clean_up(room: Room, now: datetime) -> None:
    """Make all changes that are due in one locked room."""
    if _silent(now).filter(room=room).update(away_since=F("seen_at")):
        changed(room)
    if room.screen_seen_at is not None and room.screen_seen_at < now - UNHEARD_OF:
        room.screen_seen_at = None
        changed(room)
    if room.status == Room.Status.CLOSED:
        return
    if room.status in BETWEEN:
        _move_the_absent(room, now)
    _replace_absent_host(room, now)
    if room.status == Room.Status.PLAYING:
        keep_warm(room, now)
    if _empty(now).filter(pk=room.pk).exists():
        room.status = Room.Status.CLOSED
        changed(room)


def _move_the_absent(room: Room, now: datetime) -> None:
    gone = PRESENT.filter(room=room, away_since__lt=now - TO_LEAVING)
    if gone.update(left_at=now, left_because="disconnected", left_note="", kicked_at=None):
        ensure_host(room)
        changed(room)
    absent = PRESENT.filter(room=room, away_since__lt=now - TO_SPECTATOR, spectator=False)
    if absent.update(spectator=True):
        changed(room)


def _replace_absent_host(room: Room, now: datetime) -> None:
    if not _absent_hosts(now).filter(room=room).exists():
        return
    people = PRESENT.filter(room=room, bot="", away_since=None)
    heir = people.order_by("joined_at", "pk").first()
    if heir is not None:
        room.host_id = heir.user_id
        changed(room)
