"""Keeping seats warm: depending on the options, a bot plays for an absent player.

The player keeps the seat and may see what it sees. Their first action there replaces the bot
(decision 142). Bots only step in while somebody else is present.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.engine import seats
from games.engine.snapshots import load_readable
from games.models import Member, Player, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands

AFTER = {"30s": timedelta(seconds=30), "1m": timedelta(minutes=1), "5m": timedelta(minutes=5)}
"""Time a person must be away before a bot steps in, by value of the option `keepWarm`."""


@carries_out(commands.TakeBackSeat)
def return_to_seat(room: Room, member: Member) -> None:
    """Return a member to their own seat, and remove the bot if one keeps it warm."""
    members.is_at_seat(room, member)


def cold(now: datetime) -> QuerySet[Member]:
    """Return players who have been away long enough for a bot to take over, in rooms where others
    are present.
    """
    here = Member.objects.filter(room=OuterRef("room"), left_at=None, bot="", away_since=None)
    playing = Player.objects.filter(
        match=OuterRef("room__match"), user=OuterRef("user"), gone="", bot="", out=False
    )
    due = Q()
    for word, after in AFTER.items():
        due |= Q(room__match__options__keepWarm=word, away_since__lt=now - after)
    away = Member.objects.filter(left_at=None, bot="", away_since__isnull=False)
    running = away.filter(room__status=Room.Status.PLAYING, room__match__paused__isnull=True)
    return running.filter(due).filter(Exists(here), Exists(playing))


def keep_warm(room: Room, now: datetime) -> None:
    """Let bots play for absent players in this room, unless the match is parked."""
    for member in cold(now).filter(room=room):
        match = load_readable(room.match_id or 0)
        seat = match.seat_of(member.user_id) if match is not None else None
        if match is not None and not match.over and seat is not None:
            seats.keep_warm(match, seat)
