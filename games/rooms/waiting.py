"""Questions that wait for an answer: nudges, extra time and timeouts."""

from __future__ import annotations

from copy import copy

from games.contract.core import Ignored, Refused
from games.contract.data import Seat
from games.engine import grace, matches, seats, time_source, timing
from games.engine.committing import Conflict
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.engine.table_policy import policy_of
from games.engine.writer import move_command
from games.models import Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands


@carries_out(commands.Nudge)
def nudge(room: Room, member: Member) -> None:
    """Start a clock of sixty seconds for a question without one (docs/rules/conventions.md C5).

    The host may nudge at once, and players after a while. Raise Refused("not_allowed_now") before
    then.
    """
    match = load_snapshot(room.match_id or 0)
    host = members.is_host(room, member.user_id)
    since = matches.may_nudge_from(match, match.seat_of(member.user_id), host)
    if since is None:
        raise Ignored
    if since > time_source.now():
        raise Refused("not_allowed_now")
    matches.nudge(match)


@carries_out(commands.MoreTime)
def more_time(room: Room, member: Member) -> None:
    """Extend the time for the current question.

    Raise Ignored, or Refused("not_allowed_now").
    """
    match = load_snapshot(room.match_id or 0)
    seat = match.seat_of(member.user_id)
    if seat is None:
        raise Ignored
    matches.take_more_time(match, seat)


@move_command
def time_is_up(match_id: int, clock: int) -> None:
    """Handle a timeout, and remove players who reached the idle limit.

    If no process handled the timeout for a while, the question is extended instead.
    """
    match = load_snapshot(match_id)
    deadline, now = match.row.deadline, time_source.source.judged()
    if match.over or match.state.clock != clock or deadline is None or deadline > now:
        raise Ignored
    if now - deadline > timing.LATE and match.game.rules.awaited(match.state):
        if not grace.ask_again(copy(match.row), now):
            raise Conflict
        return
    room = members.room_of(match.row.room_id)
    after, idle = matches.lapse(match)
    room.refresh_from_db()
    for seat in idle:
        member = room.members.filter(name=after.names[seat], left_at=None).first()
        if member is not None and (policy_of(room).continuous or not after.over):
            members.go(room, member, "idle")
            after = load_snapshot(match_id)
    for seat in _left_behind(room, after):
        after = after if after.over else seats.leave(after, seat, "left")


def _left_behind(room: Room, match: MatchSnapshot) -> list[Seat]:
    """Return the seats of players who left while the match was parked. Their seats are not given up
    yet.
    """
    if policy_of(room).continuous:  # players who leave between rounds do not play the next one
        return []
    here = set(room.members.filter(left_at=None).values_list("user_id", flat=True))
    held = [p for p in match.players if p.user_id and not p.gone and not p.out]
    return [Seat(player.seat) for player in held if player.user_id not in here]
