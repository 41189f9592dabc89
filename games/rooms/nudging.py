"""Nudges by the server, in matches that nobody watches (docs/rules/conventions.md C5)."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Exists, OuterRef, Q

from games.engine import matches, time_source
from games.engine.snapshots import load_readable, load_snapshot
from games.engine.writer import command
from games.models import Act, Match, Member, Room
from games.rooms import members, table_pause

DESERTED = timedelta(hours=24)
"""The server nudges if nobody has been connected for this long."""
AT_ONCE = 20


def deserted(now: datetime | None = None) -> list[int]:
    """Return the ids of matches that wait for a nudge although nobody who could nudge is connected.

    Parked matches are left out, because they would use up the AT_ONCE places.
    """
    since = (now or time_source.now()) - DESERTED
    there = Member.objects.filter(room=OuterRef("room"), bot="").filter(
        Q(left_at__gt=since) | Q(left_at=None) & (Q(away_since=None) | Q(away_since__gt=since))
    )
    stuck = Match.objects.filter(
        ended_at=None, deadline=None, wake_at=None, room__status=Room.Status.PLAYING
    )
    found = stuck.filter(~Exists(there)).order_by("pk").values_list("pk", flat=True)
    return list(islice((pk for pk in found if load_readable(pk) is not None), AT_ONCE))


@command
def nudge_deserted(match_id: int) -> None:
    """Nudge a match in which nobody is connected, or end its pause.

    Raise Refused if neither is possible.
    """
    match = load_snapshot(match_id)
    if match.row.paused is None:
        matches.nudge(match, Act.By.CLOCK)
    else:
        table_pause.go_on(members.room_of(match.row.room_id), match, time_source.now())
