"""Pausing and resuming a match. During a pause the clocks stop and nobody can move.

A pause is not an act: it changes only the times of the match, not its version or random numbers. It
ends with the match, or when nobody has been connected for a day (`games.rooms.nudging`).
"""

from __future__ import annotations

from copy import copy
from datetime import datetime
from typing import Any

from games.engine import frozen_times, time_source
from games.engine.committing import Conflict
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.models import Match, Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands


@carries_out(commands.Pause)
def pause(room: Room, host: Member) -> None:
    """Pause the match until somebody resumes it."""
    stand_still(room, host.pk)
    members.changed(room)


def stand_still(room: Room, by: int) -> None:
    """Stop the clocks of the running match. `by` is the id of the pausing member."""
    row, now = row_of(load_snapshot(room.match_id or 0)), time_source.now()
    frozen_times.freeze(row, by, now, now)
    store_times(row)


@carries_out(commands.Resume)
def resume(room: Room, host: Member) -> None:
    """Resume the match where it stopped."""
    go_on(room, load_snapshot(room.match_id or 0), time_source.now())


def go_on(room: Room, match: MatchSnapshot, now: datetime) -> None:
    """End the pause of a match, for its host or for the server."""
    row = row_of(match)
    frozen_times.thaw(row, now)
    store_times(row)
    members.changed(room)


def row_of(match: MatchSnapshot) -> Match:
    """Return a copy of the match's row that may be changed."""
    return copy(match.row)


def store_times(row: Match, **more: Any) -> None:
    """Save the times of a match. Raise Conflict if the match was changed meanwhile."""
    same = Match.objects.filter(pk=row.pk, version=row.version, revision=row.revision)
    times = {name: getattr(row, name) for name in frozen_times.FIELDS}
    if not same.update(revision=row.revision + 1, **times, **more):
        raise Conflict
