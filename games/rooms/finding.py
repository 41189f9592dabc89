"""Queries for rooms and their members."""

from __future__ import annotations

from games.models import Member, Room
from games.models.rooms import read_code


def open_room(code: str) -> Room | None:
    """Return the open room with this code, as typed by a user, or None."""
    try:
        room = Room.objects.get(code=read_code(code))
    except Room.DoesNotExist:
        return None
    return room if room.status != Room.Status.CLOSED else None


def rooms_of(user_id: int) -> dict[int, str]:
    """Return the codes of the open rooms that this user is in, by room id."""
    seats = Member.objects.filter(user_id=user_id, left_at=None)
    open_ones = seats.exclude(room__status=Room.Status.CLOSED)
    return dict(open_ones.values_list("room_id", "room__code"))


def member_in(room_id: int, user_id: int) -> Member | None:
    """Return this user's membership of a room, or None if they are not in it."""
    try:
        return Member.objects.get(room_id=room_id, user_id=user_id, left_at=None)
    except Member.DoesNotExist:
        return None


def member_at(code: str, user_id: int) -> Member | None:
    """Like `member_in`, for a code as typed by a user."""
    try:
        return Member.objects.get(room__code=read_code(code), user_id=user_id, left_at=None)
    except Member.DoesNotExist:
        return None
