"""Reactions, shown at a member's seat for a moment.

Only the newest are stored, in the room, with ids of members instead of names. Each new reaction
removes those older than KEPT.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from games.contract.core import Refused
from games.engine import time_source
from games.models import Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.talking import floor_of
from games.wire import commands
from games.wire.parts import Reaction

KEPT = timedelta(seconds=10)
MOST = 5
"""Maximum reactions of one member within KEPT."""


class Shown(Struct, frozen=True):
    """A reaction. `number` increases with each reaction in a room."""

    number: int
    reaction: Reaction
    by: int
    """Id of the member."""
    audience: str
    match: int | None
    """Id of the match that was running."""
    at: datetime


@carries_out(commands.React)
def react(room: Room, member: Member, reaction: Reaction) -> None:
    """Show a reaction to all who would receive a chat message from this member.

    Raise Refused with code `muted`, `chat_closed` or `busy`.
    """
    assert member.user_id is not None
    members.must_not_be_muted(member.user_id)
    floor, now = floor_of(room, member.user_id), time_source.now()
    if floor.is_closed:
        raise Refused("chat_closed")
    known = reactions_of(room)
    fresh = [one for one in known if one.at > now - KEPT]
    if sum(one.by == member.pk for one in fresh) >= MOST:
        raise Refused("busy")
    number = known[-1].number + 1 if known else 1
    fresh.append(Shown(number, reaction, member.pk, floor.audience, floor.match_id, now))
    room.reactions = msgspec.to_builtins(fresh)
    members.changed(room)


def reactions_of(room: Room) -> Sequence[Shown]:
    """Return the newest reactions, oldest first."""
    return msgspec.convert(room.reactions, list[Shown])
