"""Moderator actions on rooms and users, with an arbitrary reason."""

from __future__ import annotations

from typing import Any

from games.engine.writer import command
from games.history import staff


def lock_out(person: int) -> Any:
    """Ban a user permanently. Call it synchronously or await it, like any command."""
    return command(staff.decide)(person, "lock", "enough")


def end_match(room: int) -> Any:
    """End the running match of a room."""
    return command(staff.end_match)(room, "enough")


def close_room(room: int) -> Any:
    """Close a room."""
    return command(staff.close_room)(room, "enough")
