"""What moderators do to rooms and people, with a reason that does not matter."""

from __future__ import annotations

from typing import Any

from games.engine.writer import command
from games.history import staff


def lock_out(person: int) -> Any:
    """Lock somebody out for ever; to be waited for or awaited, like any command."""
    return command(staff.decide)(person, "lock", "enough")


def end_match(room: int) -> Any:
    """End the running match of a room."""
    return command(staff.end_match)(room, "enough")


def close_room(room: int) -> Any:
    """Close a room."""
    return command(staff.close_room)(room, "enough")
