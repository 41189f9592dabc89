"""Kinds of votes, with their conditions and effects."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import timedelta

from django.dispatch import Signal

from games.contract.core import Refused
from games.engine import seats, time_source
from games.engine.acts import end_without_result
from games.engine.snapshots import load_readable, load_snapshot
from games.models import Member, Room
from games.registry import GAMES
from games.rooms import choosing, giving_seats, members, table_pause
from games.rooms.vote_records import Vote
from games.wire.declaration import When
from games.wire.parts import VoteAbout

LONG_ABSENT = timedelta(minutes=2)
"""Minimum absence before the table can vote on giving a seat to another person."""


FEWEST_TO_REMOVE = 2
"""Minimum voters to remove a player. Otherwise one of two players could win by a vote."""

on_removed = Signal()
"""Sent in the writer's thread when a table has voted to remove a player, before the player leaves.

Arguments: `room`, `member`, and `by` (id of the member who called the vote).
"""


@dataclass(frozen=True)
class Kind:
    """A kind of vote: when it can be called, its condition and its effect."""

    when: When
    do: Callable[[Room, Vote], None]
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Raises Refused if the effect is not possible."""
    counts_briefly_away: bool = False
    """Whether members who have just gone away (`votes.BACK_SOON`) may vote.

    They have something to lose, and a phone disconnects as soon as its owner opens another app.
    """


def _member(vote: Vote) -> Member | None:
    """Return the member that the vote is about, or None if they have left."""
    return Member.objects.filter(pk=vote.whom or 0, left_at=None).first()


def _must_be_absent(room: Room, vote: Vote) -> None:
    """Raise Refused unless the player is disconnected or idle, and no bot plays the seat yet."""
    whom = _member(vote)
    match = load_readable(room.match_id or 0)
    seat = match.seat_of(whom.user_id) if match and whom else None
    held = match.players[seat] if match is not None and seat is not None else None
    if whom is None or held is None or held.out or held.is_warm:
        raise Refused("bad_target")
    if not members.may_be_kicked(room, whom):
        raise Refused("not_away")


def _must_be_heir(room: Room, vote: Vote) -> None:
    """Raise Refused unless the vote is about a member who is present and is not the host."""
    whom = _member(vote)
    if whom is None or whom.away_since is not None or whom.user_id == room.host_id:
        raise Refused("bad_target")


def _must_be_game(room: Room, vote: Vote) -> None:
    if vote.game not in GAMES:
        raise Refused("bad_game")


def _pause(room: Room, vote: Vote) -> None:
    table_pause.stand_still(room, vote.by)


def _resume(room: Room, vote: Vote) -> None:
    table_pause.go_on(room, load_snapshot(room.match_id or 0), time_source.now())


def _end(room: Room, vote: Vote) -> None:
    end_without_result(copy(load_snapshot(room.match_id or 0).row))


def _replace(room: Room, vote: Vote) -> None:
    """Let a bot play for the absent player until they act again (`games.rooms.warm_seats`)."""
    match, whom = load_snapshot(room.match_id or 0), _member(vote)
    seat = match.seat_of(whom.user_id) if whom is not None else None
    if seat is not None:
        seats.keep_warm(match, seat)


def _must_be_opponent(room: Room, vote: Vote) -> None:
    """Raise Refused unless the vote is about another player who is still in the match and there are
    enough voters.
    """
    whom, match = _member(vote), load_readable(room.match_id or 0)
    seat = match.seat_of(whom.user_id) if match and whom else None
    if match is None or seat is None or match.players[seat].out or vote.whom == vote.by:
        raise Refused("bad_target")
    if len(vote.voters) < FEWEST_TO_REMOVE:
        raise Refused("too_few_vote")


def _remove(room: Room, vote: Vote) -> None:
    """Remove the player as a kick does, and report this to moderators."""
    if (whom := _member(vote)) is not None:
        on_removed.send(Room, room=room, member=whom, by=vote.by)
        members.go(room, whom, "kicked")


def _hand_over(room: Room, vote: Vote) -> None:
    if (whom := _member(vote)) is not None:
        room.host_id = whom.user_id
        members.changed(room)


def _choose(room: Room, vote: Vote) -> None:
    choosing.choose(room, Member.objects.get(pk=vote.by), vote.game or "", {})


def _must_be_long_absent(room: Room, vote: Vote) -> None:
    """Raise Refused unless the player has been away for LONG_ABSENT and the heir has no seat."""
    match, owner = load_readable(room.match_id or 0), _owner(vote)
    players = match.players if match is not None and owner is not None else ()
    held = next((p for p in players if owner and p.user_id == owner.user_id), None)
    if match is None or held is None or giving_seats.absent_player(room, held.name) is None:
        raise Refused("not_absent")
    giving_seats.heir_of(room, match, vote.heir or 0)
    since = giving_seats.absent_since(room, held)
    if since is None or time_source.now() - since < LONG_ABSENT:
        raise Refused("absent_soon")


def _owner(vote: Vote) -> Member | None:
    return Member.objects.filter(pk=vote.whom or 0).first()


def _give(room: Room, vote: Vote) -> None:
    match, owner = load_snapshot(room.match_id or 0), _owner(vote)
    held = next(p for p in match.players if owner is not None and p.user_id == owner.user_id)
    giving_seats.hand_over(room, match, held, giving_seats.heir_of(room, match, vote.heir or 0))


KINDS: dict[VoteAbout, Kind] = {
    "pause": Kind(When.PLAYING, _pause),
    "resume": Kind(When.PAUSED, _resume),
    "end": Kind(When.RUNNING, _end, counts_briefly_away=True),
    "bot": Kind(When.RUNNING, _replace, _must_be_absent),
    "host": Kind(When.ANY, _hand_over, _must_be_heir, counts_briefly_away=True),
    "seat": Kind(When.RUNNING, _give, _must_be_long_absent),
    "remove": Kind(When.RUNNING, _remove, _must_be_opponent, counts_briefly_away=True),
    "game": Kind(When.OPEN, _choose, _must_be_game, counts_briefly_away=True),
}
"""All kinds of votes, by their name on the wire."""
