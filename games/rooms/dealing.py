"""Commands for the time in which players look at something (`games.engine.timing`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from games.contract.core import Ignored
from games.engine import grace, shows, time_source, timing
from games.engine.snapshots import MatchSnapshot, load_readable, load_snapshot
from games.engine.writer import move_command
from games.models import Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.table_pause import row_of, store_times
from games.wire import commands


@carries_out(commands.DealSeen)
def deal_seen(room: Room, member: Member) -> None:
    """Record that a player has looked. Raise Ignored if the time to look is over."""
    match = load_snapshot(room.match_id or 0)
    seat = match.seat_of(member.user_id)
    if seat is None or not timing.waits_for_looks(match.row, time_source.now()):
        raise Ignored
    _store(match, {*timing.deal_seen(match.row), int(seat)})
    members.changed(room)


@move_command
def deal_is_over(match_id: int) -> None:
    """End the time to look at the deal. Raise Ignored if it is not up yet or has already ended."""
    match = load_snapshot(match_id)
    now = time_source.source.judged()
    if not timing.deal_is_on(match.row) or timing.deal_ends(match.row) > now:
        raise Ignored
    _end(match)
    members.changed(members.room_of(match.row.room_id))


def look_again(room: Room) -> None:
    """End the time to look if every player who is still present has looked."""
    match = load_readable(room.match_id) if room.match_id else None
    if match is not None and timing.waits_for_looks(match.row, time_source.now()):
        _store(match, timing.deal_seen(match.row))


def _store(match: MatchSnapshot, seen: Collection[int]) -> None:
    here = shows.looking_now(match.row.room_id)
    if timing.deal_unread(match.players, here, seen):
        row = row_of(match)
        row.dealt = sorted(seen)
        store_times(row)
    else:
        _end(match)


def _end(match: MatchSnapshot) -> None:
    """Ask the question at once, with its full time limit. Pages stop the animation."""
    row, now = row_of(match), time_source.now()
    row.dealt = None
    grace.move(row, min(timedelta(0), now - timing.deal_ends(row)))
    row.awaited_from = None
    row.wake_at = timing.wake_at(row)
    store_times(row)
