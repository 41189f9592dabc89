"""What happens to rooms by time alone: absent people, absent hosts, rooms with nobody left."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from games.members import changed, go
from games.models import Member, Room
from games.writer import door

UNHEARD_OF = timedelta(seconds=25)
TO_SPECTATOR = timedelta(seconds=60)
TO_LEAVING = timedelta(minutes=10)
HOST_OPEN = timedelta(seconds=60)
HOST_PLAYING = timedelta(seconds=120)
CLOSE_OPEN = timedelta(minutes=30)
CLOSE_FINISHED = timedelta(hours=24)


@door
def tidy_rooms(now: datetime | None = None) -> None:
    """One round through everything that is overdue."""
    now = now or timezone.now()
    _note_the_unheard_of(now)
    _move_the_absent(now)
    _replace_absent_hosts(now)
    _close_the_empty(now)


def forgive_absence() -> None:
    """Nobody could be seen while the house was dark."""
    people = Member.objects.filter(left_at=None, bot="", away_since=None)
    people.update(seen_at=timezone.now())


def _note_the_unheard_of(now: datetime) -> None:
    """Whose process has died is away, too."""
    silent = Member.objects.filter(
        left_at=None, bot="", away_since=None, seen_at__lt=now - UNHEARD_OF
    ).exclude(room__status=Room.Status.CLOSED)
    rooms = set(silent.values_list("room_id", flat=True))
    silent.update(away_since=F("seen_at"))
    for room_id in rooms:
        changed(_locked(room_id))


def _move_the_absent(now: datetime) -> None:
    absent = Member.objects.filter(
        left_at=None, room__status__in=(Room.Status.OPEN, Room.Status.FINISHED)
    )
    for member in absent.filter(away_since__lt=now - TO_LEAVING):
        go(_locked(member.room_id), member, "disconnected")
    for member in absent.filter(away_since__lt=now - TO_SPECTATOR, spectator=False):
        member.spectator = True
        member.save(update_fields=["spectator"])
        changed(_locked(member.room_id))


def _replace_absent_hosts(now: datetime) -> None:
    for status, patience in (
        (Room.Status.OPEN, HOST_OPEN),
        (Room.Status.FINISHED, HOST_OPEN),
        (Room.Status.PLAYING, HOST_PLAYING),
    ):
        absent = Member.objects.filter(
            left_at=None,
            user_id=F("room__host_id"),
            room__status=status,
            away_since__lt=now - patience,
        )
        for member in absent:
            room = _locked(member.room_id)
            people = room.members.filter(left_at=None, bot="", away_since=None)
            heir = people.order_by("joined_at", "pk").first()
            if heir is not None:
                room.host_id = heir.user_id
                changed(room)


def _close_the_empty(now: datetime) -> None:
    for status, patience in (
        (Room.Status.OPEN, CLOSE_OPEN),
        (Room.Status.FINISHED, CLOSE_FINISHED),
    ):
        empty = Room.objects.filter(status=status, empty_since__lt=now - patience, udp_round=None)
        for room in empty.select_for_update():
            room.status = Room.Status.CLOSED
            changed(room)


def _locked(room_id: int) -> Room:
    """The room as it is now, also when it was changed a moment ago, here or elsewhere."""
    return Room.objects.select_for_update().get(pk=room_id)
