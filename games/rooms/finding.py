"""Frequent queries for rooms and their members."""

from __future__ import annotations

from accounts.compiled_queries import CompiledQuery
from games.models import Member, Room
from games.models.rooms import read_code

_open = CompiledQuery(
    lambda code: Room.objects.filter(code=code).exclude(status=Room.Status.CLOSED)
)
_here = CompiledQuery(
    lambda room, user: Member.objects.filter(room_id=room, user_id=user, left_at=None)
)
_at = CompiledQuery(
    lambda code, user: Member.objects.filter(
        room__code=code, user_id=user, left_at=None
    ).select_related("room")
)


def open_room(code: str) -> Room | None:
    """Return the room with this code as typed by a person, unless it is closed."""
    return _open.first(read_code(code))


def member_in(room_id: int, user_id: int) -> Member | None:
    """Return this person's membership of a room, unless they have left."""
    return _here.first(room_id, user_id)


def member_at(code: str, user_id: int) -> Member | None:
    """Like `member_in`, with the room, for a code as typed by a person."""
    return _at.first(read_code(code), user_id)
