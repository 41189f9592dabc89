"""What moderators can do to rooms and people; in force at once in every open page."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from accounts.models import User
from chat.models import Message
from games import matches
from games.members import changed, go
from games.models import Member, Room
from games.writer import door


@door
def close_room(room_id: int) -> None:
    """The match ends without a result, everybody is sent away, the room is closed."""
    room = Room.objects.select_for_update().get(pk=room_id)
    _end_match(room)
    room.refresh_from_db()
    room.status, room.empty_since = Room.Status.CLOSED, timezone.now()
    room.members.filter(left_at=None).update(left_at=timezone.now(), left_because="closed")
    changed(room)


@door
def end_match(room_id: int) -> None:
    """The running match ends without a result."""
    room = Room.objects.select_for_update().get(pk=room_id)
    _end_match(room)


@door
def remove_messages(message_ids: Sequence[int]) -> None:
    """These messages are not shown any more."""
    messages = Message.objects.filter(pk__in=message_ids)
    threads = set(messages.values_list("thread", flat=True))
    messages.update(hidden=True)
    rooms = [int(thread.partition(":")[2]) for thread in threads if thread.startswith("room:")]
    for room in Room.objects.filter(pk__in=rooms):
        changed(room)


@door
def lock_out(user_id: int) -> None:
    """This person cannot log in, and leaves every table."""
    User.objects.filter(pk=user_id).update(is_active=False)
    for member in Member.objects.filter(user_id=user_id, left_at=None).select_related("room"):
        go(Room.objects.get(pk=member.room_id), member, "banned")


@door
def let_in(user_id: int) -> None:
    """This person may come back."""
    User.objects.filter(pk=user_id).update(is_active=True)


def _end_match(room: Room) -> None:
    if room.status == Room.Status.PLAYING and room.match is not None:
        matches.end_without_result(room.match)
