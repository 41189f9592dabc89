"""Skipping ahead: a match in which only bots are left is played to its end at once.

Skipping ahead changes the pace of the match until a human player is in again. Bots answer at once,
and pages show no beats (`games.engine.timing.INSTANT`).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from games.contract.core import Refused
from games.engine import notifications, time_source, timing
from games.engine.snapshots import MatchSnapshot, load_readable, load_snapshot
from games.models import Match, Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.table_pause import row_of, store_times
from games.wire import commands


@carries_out(commands.SkipAhead)
def skip_ahead(room: Room, member: Member) -> None:
    """Ask to skip ahead. Raise Refused("not_allowed_now") if human players are left."""
    match = load_snapshot(room.match_id or 0)
    if not match.only_bots:
        raise Refused("not_allowed_now")
    row, asked = row_of(match), {*match.row.skip_asked, member.pk}
    agreed = _is_agreed(room, asked) or members.is_host(room, member.user_id)
    if row.pace != timing.INSTANT and agreed:
        _hurry(row, match, time_source.now())
    store_times(row, skip_asked=sorted(asked))
    members.changed(room)


def on_room_changed(sender: Any, room: Room, **more: Any) -> None:
    """Skip ahead if enough of the members present have asked (`games.rooms.members.on_change`)."""
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return
    match = load_readable(room.match_id)
    if match is None or not match.row.skip_asked or not match.only_bots:
        return
    if match.row.pace == timing.INSTANT:
        return
    if _is_agreed(room, match.row.skip_asked):
        row = row_of(match)
        _hurry(row, match, time_source.now())
        store_times(row)
        notifications.notify_room_changed(room.pk)


def _is_agreed(room: Room, asked: Collection[int]) -> bool:
    here = room.members.filter(left_at=None, bot="", away_since=None)
    return here.filter(pk__in=asked).count() >= enough(here.count())


def enough(here: int) -> int:
    """Return how many of `here` members must ask to skip ahead: more than half."""
    return here // 2 + 1


def _hurry(row: Match, match: MatchSnapshot, now: datetime) -> None:
    """Switch to the instant pace, and make all plans due at once."""
    game, state, pace = match.game, match.state, timing.INSTANT
    seconds = timing.lasts(game, state, pace)
    row.pace, row.awaited_from = pace, None
    row.deadline = None if seconds is None else now + timedelta(seconds=seconds)
    row.plans = timing.bot_plans(game, state, match.players, {}, now, now, pace, match.seed)
    row.talks = {key: due and now.timestamp() for key, due in row.talks.items()}
    row.wake_at = timing.wake_at(row)
