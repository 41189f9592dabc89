"""Big screens: who may show a table on a big screen, and whether one is connected.

A screen has no seat and is not a member. It shows what is public. It must pass the same checks as a
spectator, but needs no name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.crypto import salted_hmac

from games.engine import time_source
from games.engine.writer import command
from games.models import Room
from games.rooms import members

_SALT = "parlour.screen"


def check(room: Room, user_id: int | None, known: str) -> bool:
    """Raise Rejected if this user may not show the table on a screen. `user_id` is None without a
    login.

    For `known`, see `games.rooms.passwords.proof`. Members always may. Return whether the user is a
    member.
    """
    members.must_be_known(user_id)
    member = room.members.filter(user_id=user_id).first() if user_id else None
    if member is not None and member.kicked_at:
        raise members.Rejected("Kicked")
    if member is not None and member.left_at is None:
        return True
    members.must_be_wanted(room, user_id)
    members.check_welcome(room, user_id, known)
    if room.options.get("spectators") == "none":
        raise members.Rejected("NoScreen")
    return False


def note_password(session: Any, room: Room) -> None:
    """Remember that this browser proved that it knows the room's password, so that its screen can
    reconnect.
    """
    session[f"screen-{room.code}"] = _mark(room)


def noted_password(session: Mapping[str, Any], room: Room) -> str:
    """Return the proof of the password that this browser gave earlier, or "" if it gave none."""
    return room.password if session.get(f"screen-{room.code}") == _mark(room) else ""


def _mark(room: Room) -> str:
    return salted_hmac(_SALT, f"{room.code} {room.password}").hexdigest()


@command
def screen_seen(room_ids: Sequence[int]) -> None:
    """Record that screens show these rooms. Screens repeat this every few seconds."""
    dark = Room.objects.filter(pk__in=room_ids, screen_seen_at=None)
    lit = list(dark.select_for_update().order_by("pk"))
    Room.objects.filter(pk__in=room_ids).update(screen_seen_at=time_source.now())
    members.changed_rooms([room.pk for room in lit])


@command
def screen_gone(room_id: int) -> None:
    """Record that no screen shows this room any longer."""
    lit = Room.objects.filter(pk=room_id).exclude(screen_seen_at=None)
    if lit.update(screen_seen_at=None):
        members.changed_rooms([room_id])
