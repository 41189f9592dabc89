"""Reactions: what somebody thinks of it, shown at their seat for a moment.

The newest are kept in the room, for as long as somebody could still have to be shown them and
until the next one comes, and nowhere else: by rows of members, without a name.
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
"""So many of one person within that time."""


class Shown(Struct, frozen=True):
    """A reaction; `number` rises with each one in a room."""

    number: int
    reaction: Reaction
    by: int
    """Whose it is, a row of members."""
    audience: str
    match: int | None
    """During which match."""
    at: datetime


@carries_out(commands.React)
def react(room: Room, member: Member, reaction: Reaction) -> None:
    """Somebody reacts, for whom what they say is. Raise Refused (muted, chat_closed, busy)."""
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
    """The newest reactions, the last at the end."""
    return msgspec.convert(room.reactions, list[Shown])
