"""Rooms and who is in them, as every page and every socket asks for them."""

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
    lambda code, user: Member.objects.filter(room__code=code, user_id=user, left_at=None)
)


def open_room(code: str) -> Room | None:
    """The room of a code as somebody has typed it, unless it is closed."""
    return _open.first(read_code(code))


def member_in(room_id: int, user_id: int) -> Member | None:
    """Who this person is in a room they are in."""
    return _here.first(room_id, user_id)


def member_at(code: str, user_id: int) -> Member | None:
    """The same in the room of a code as somebody has typed it."""
    return _at.first(read_code(code), user_id)
