"""The members who are connected, as reported by sockets."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import pauses, shows, time_source, timing
from games.engine.snapshots import load_readable
from games.engine.writer import command
from games.models import Member, Room, Seek
from games.rooms import dealing, members
from games.rooms.table_pause import row_of, store_times


@command
def seen(member_ids: Sequence[int]) -> None:
    """Record that these members are connected. Sockets repeat this every few seconds."""
    people = Member.objects.filter(pk__among=member_ids, left_at=None)
    back = set(people.exclude(away_since=None).values_list("room_id", flat=True))
    people.update(seen_at=time_source.now(), away_since=None)
    for room in Room.objects.select_for_update().filter(pk__in=back).order_by("pk"):
        members.changed(room)


@command
def opened_page(member_id: int) -> None:
    """Record that this member has a page open."""
    people = Member.objects.filter(pk=member_id, at_page=False)
    rooms = list(Room.objects.select_for_update().filter(pk__in=people.values("room")))
    if rooms and people.update(at_page=True):
        arriving = Member.objects.filter(pk=member_id).values("user")
        Seek.objects.filter(room=rooms[0], user__in=arriving).update(arrived=True)
        members.changed(rooms[0])


@command
def gone_away(member_ids: Sequence[int]) -> None:
    """Record that these members are disconnected, and show this to the others."""
    now = time_source.now()
    people = Member.objects.filter(pk__in=member_ids, left_at=None, away_since=None)
    rooms = set(people.values_list("room_id", flat=True))
    people.update(away_since=now)
    for room in Room.objects.select_for_update().filter(pk__in=rooms).order_by("pk"):
        if room.status == Room.Status.PLAYING:
            _end_pause(room)
            dealing.look_again(room)
        members.changed(room)


def _end_pause(room: Room) -> None:
    """End a display pause if every player who is still present has continued."""
    match = load_readable(room.match_id) if room.match_id else None
    if match is None or match.over or match.row.deadline is None:
        return
    here = shows.present_now(room.pk)
    if pauses.waits_for_absent(match.game, match.state, match.players, here):
        row, now = row_of(match), time_source.now()
        row.deadline = min(match.row.deadline, max(now, row.awaited_from or now))
        row.wake_at = timing.wake_at(row)
        store_times(row)
