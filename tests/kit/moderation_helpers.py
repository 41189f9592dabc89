"""What moderators do to rooms and people, with a reason that does not matter."""

from __future__ import annotations

from typing import Any

from games import staff
from games.writer import door


def lock_out(person: int) -> Any:
    """Locks somebody out for ever; waits, or is awaited, like any door."""
    return door(staff.decide)(person, "lock", "enough")


def end_match(room: int) -> Any:
    """Ends the running match of a room."""
    return door(staff.end_match)(room, "enough")


def close_room(room: int) -> Any:
    """Closes a room."""
    return door(staff.close_room)(room, "enough")
