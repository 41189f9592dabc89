"""The host pauses a match, and lets it go on: no time passes meanwhile, and nobody moves.

A pause is no act: it moves neither the version nor the luck of the match, only its times. It ends
with the match, and where nobody has been connected for a day the house ends it
(`games.rooms.nudging`).
"""

from __future__ import annotations

from copy import copy
from datetime import datetime
from typing import Any

from games.engine import frozen_times, time_source
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.engine.writer import Conflict
from games.models import Match, Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands


@carries_out(commands.Pause)
def pause(room: Room, host: Member) -> None:
    """The match stands still until somebody lets it go on."""
    stand_still(room, host.pk)
    members.changed(room)


def stand_still(room: Room, by: int) -> None:
    """From now on no time passes, and nobody moves; `by`: who pauses it, a row of members."""
    row, now = row_of(load_snapshot(room.match_id or 0)), time_source.now()
    frozen_times.freeze(row, by, now, now)
    store_times(row)


@carries_out(commands.Resume)
def resume(room: Room, host: Member) -> None:
    """The match goes on where it stopped."""
    go_on(room, load_snapshot(room.match_id or 0), time_source.now())


def go_on(room: Room, match: MatchSnapshot, now: datetime) -> None:
    """End the pause of a match: of its host's, or of the house's own accord."""
    row = row_of(match)
    frozen_times.thaw(row, now)
    store_times(row)
    members.changed(room)


def row_of(match: MatchSnapshot) -> Match:
    """The row of a match, to be changed."""
    return copy(match.row)


def store_times(row: Match, **more: Any) -> None:
    """Raise Conflict when somebody was faster."""
    same = Match.objects.filter(pk=row.pk, version=row.version, revision=row.revision)
    times = {name: getattr(row, name) for name in frozen_times.FIELDS}
    if not same.update(revision=row.revision + 1, **times, **more):
        raise Conflict
