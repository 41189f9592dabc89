"""Votes of the table: what players decide where no host is at hand, or the host is the problem.

One vote at a time, of one kind (`KINDS`); it is kept in its room (`Room.vote`), also when it is
over. More than half of those who played when it began carry it, at once; after twenty seconds it
has failed. Who has come since has no part in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec
from django.db.models import Q
from msgspec import Struct

from games.engine import matches, time_source
from games.engine.acts import end_without_result
from games.engine.snapshots import load_readable, load_snapshot, row_copy
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.models import Member, Room
from games.protocol import commands
from games.protocol.declaration import When
from games.protocol.parts import VoteAbout
from games.rooms import choosing, members, table_pause
from games.rooms.authorization import carries_out, must_be
from games.rules import GAMES
from games.rules.core import Ignored, Refused

LASTS = timedelta(seconds=20)
AGAIN = timedelta(minutes=2)
"""So long after a vote that failed, neither the same is put to the vote, nor does the same person
call one."""

BACK_SOON = timedelta(minutes=1)


class Question(Struct, frozen=True):
    """What is put to the vote, and by whom. People are rows of members."""

    about: VoteAbout
    by: int
    whom: int | None
    game: str | None
    match: int | None
    """The match that ran when it began; with its end the vote has no object any more."""
    until: datetime

    def is_again(self, asked: Question) -> bool:
        """Whether what is asked now is the same, or by the same person, as this."""
        same = (self.about, self.whom, self.game) == (asked.about, asked.whom, asked.game)
        return self.match == asked.match and (same or self.by == asked.by)


class Vote(Question, frozen=True, kw_only=True):
    """A vote as it is kept."""

    voters: tuple[int, ...]
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()
    passed: bool | None = None
    """None: it is not decided."""
    failed: tuple[Question, ...] = ()
    """Those before it that have failed of late; `until`: when that was, at the latest."""

    @property
    def needed(self) -> int:
        """So many have to agree: more than half."""
        return len(self.voters) // 2 + 1

    @property
    def is_lost(self) -> bool:
        """Whether too many are against it, whatever the rest says."""
        return len(self.no) > len(self.voters) - self.needed


@dataclass(frozen=True)
class Kind:
    """Something a table can decide: when, what has to hold, and what is done then."""

    when: When
    do: Callable[[Room, Vote], None]
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Raise Refused where it cannot be done."""
    counts_gone: timedelta = timedelta(0)
    """Who has been away for no longer than this counts among those who decide: they are about to
    lose something by it, and a phone is away as soon as another app is looked at."""


def vote_of(room: Room) -> Vote | None:
    """The newest vote of a room, decided or not."""
    return None if room.vote is None else msgspec.convert(room.vote, Vote)


def running_vote(room: Room) -> Vote | None:
    """The vote that can be decided still, its time aside."""
    vote = vote_of(room)
    if vote is None or vote.passed is not None or vote.match != _running_match(room):
        return None
    return vote


def voters(room: Room, about: VoteAbout, now: datetime) -> list[Member]:
    """Who decides: everybody here who is in the match, or would be in the next one. Where all of
    those are away, also who is out."""
    present = Q(away_since=None) | Q(away_since__gt=now - KINDS[about].counts_gone)
    here = room.members.filter(present, left_at=None, bot="").order_by("pk")
    if _running_match(room) is None:
        return list(here.filter(spectator=False))
    match = load_readable(room.match_id or 0)
    held = {p.user_id: p.out for p in match.players if not p.gone} if match else {}
    seated = [member for member in here if member.user_id in held]
    return [member for member in seated if not held[member.user_id]] or seated


@carries_out(commands.CallVote)
def call_vote(
    room: Room,
    member: Member,
    about: VoteAbout,
    username: str | None = None,
    game: str | None = None,
) -> None:
    """Somebody who plays puts something to the vote, and is for it. Raise Refused (players_vote,
    vote_running, vote_again, bad_target, bad_game, not_away, not_allowed_now)."""
    now = time_source.now()
    may = tuple(voter.pk for voter in voters(room, about, now))
    if member.pk not in may:
        raise Refused("players_vote") if _is_out(room, member) else Ignored
    if policy_of(room).continuous:
        raise Refused("not_allowed_now")
    must_be(KINDS[about].when, room)
    running = running_vote(room)
    if running is not None and running.until > now:
        raise Refused("vote_running")
    vote = Vote(
        about=about,
        by=member.pk,
        whom=_whom(room, about, username),
        game=game,
        match=_running_match(room),
        until=now + LASTS,
        voters=may,
        yes=(member.pk,),
        failed=_failed(vote_of(room), now),
    )
    KINDS[about].check(room, vote)
    _must_not_be_again(vote, now)
    _count(room, vote)


@carries_out(commands.CastVote)
def cast_vote(room: Room, member: Member, yes: bool) -> None:
    """Somebody agrees or disagrees; they may think again until it is decided. Raise Refused
    (no_vote, came_later)."""
    vote = running_vote(room)
    if vote is None or vote.until <= time_source.now():
        raise Refused("no_vote")
    if member.pk not in vote.voters:
        raise Refused("came_later")
    others = {
        "yes": tuple(pk for pk in vote.yes if pk != member.pk),
        "no": tuple(pk for pk in vote.no if pk != member.pk),
    }
    others["yes" if yes else "no"] += (member.pk,)
    _count(room, msgspec.structs.replace(vote, **others))


@command
def end_votes() -> None:
    """Votes whose time is over have failed."""
    unlocked = Room.objects.select_for_update(skip_locked=True)
    over = unlocked.filter(vote_until__lte=time_source.now())
    for room in over:
        vote = vote_of(room)
        if vote is not None and vote.passed is None:
            _keep(room, msgspec.structs.replace(vote, passed=False))
        else:
            room.vote_until = None
        members.changed(room)


def _running_match(room: Room) -> int | None:
    return room.match_id if room.status == Room.Status.PLAYING else None


def _is_out(room: Room, member: Member) -> bool:
    """Whether somebody holds a seat in the running match, but plays no more."""
    match = load_readable(room.match_id or 0) if _running_match(room) else None
    return match is not None and match.seat_of(member.user_id) is not None


def _whom(room: Room, about: VoteAbout, username: str | None) -> int | None:
    """The row of whom it is about."""
    if about not in ("bot", "host"):
        return None
    found = room.members.filter(left_at=None, bot="", name=username or "").first()
    if found is None:
        raise Refused("bad_target")
    return found.pk


def _failed(last: Vote | None, now: datetime) -> tuple[Question, ...]:
    """The votes that have failed so lately that they may not be asked for again, the last of all
    among them."""
    if last is None:
        return ()
    known = last.failed
    if not last.passed:
        ended = min(last.until, now)
        known += (Question(last.about, last.by, last.whom, last.game, last.match, ended),)
    return tuple(one for one in known if now - one.until < AGAIN)


def _must_not_be_again(vote: Vote, now: datetime) -> None:
    if found := [one for one in vote.failed if one.is_again(vote)]:
        left = max(one.until for one in found) + AGAIN - now
        raise Refused("vote_again", seconds=max(1, round(left.total_seconds())))


def _count(room: Room, vote: Vote) -> None:
    """Keep the vote; decide it where that is possible by now."""
    passed: bool | None = None
    if len(vote.yes) >= vote.needed:
        passed = _can_be_done(room, vote)
    elif vote.is_lost:
        passed = False
    _keep(room, msgspec.structs.replace(vote, passed=passed))
    if passed:
        KINDS[vote.about].do(room, vote)
        room.refresh_from_db()
    members.changed(room)


def _keep(room: Room, vote: Vote) -> None:
    room.vote = msgspec.to_builtins(vote)
    room.vote_until = vote.until if vote.passed is None else None
    room.save(update_fields=["vote", "vote_until"])


def _can_be_done(room: Room, vote: Vote) -> bool:
    """Whether what was true when it was put to the vote still is."""
    try:
        must_be(KINDS[vote.about].when, room)
        KINDS[vote.about].check(room, vote)
    except Refused:
        return False
    return True


def _member(vote: Vote) -> Member | None:
    """Whom it is about, while they are here."""
    return Member.objects.filter(pk=vote.whom or 0, left_at=None).first()


def _must_be_absent(room: Room, vote: Vote) -> None:
    """A seat of somebody who is shown disconnected, or was silent; no bot keeps it yet."""
    whom = _member(vote)
    match = load_readable(room.match_id or 0)
    seat = match.seat_of(whom.user_id) if match and whom else None
    held = match.players[seat] if match is not None and seat is not None else None
    if whom is None or held is None or held.out or held.is_warm:
        raise Refused("bad_target")
    if not members.may_be_kicked(room, whom):
        raise Refused("not_away")


def _must_be_heir(room: Room, vote: Vote) -> None:
    """Somebody who is here, and not the host already."""
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
    end_without_result(row_copy(load_snapshot(room.match_id or 0).row))


def _replace(room: Room, vote: Vote) -> None:
    """A bot plays on until its person acts there again (`games.rooms.warm_seats`)."""
    match, whom = load_snapshot(room.match_id or 0), _member(vote)
    seat = match.seat_of(whom.user_id) if whom is not None else None
    if seat is not None:
        matches.keep_warm(match, seat)


def _hand_over(room: Room, vote: Vote) -> None:
    if (whom := _member(vote)) is not None:
        room.host_id = whom.user_id
        members.changed(room)


def _choose(room: Room, vote: Vote) -> None:
    choosing.choose(room, Member.objects.get(pk=vote.by), vote.game or "", {})


KINDS: dict[VoteAbout, Kind] = {
    "pause": Kind(When.PLAYING, _pause),
    "resume": Kind(When.PAUSED, _resume),
    "end": Kind(When.RUNNING, _end, counts_gone=BACK_SOON),
    "bot": Kind(When.RUNNING, _replace, _must_be_absent),
    "host": Kind(When.ANY, _hand_over, _must_be_heir, counts_gone=BACK_SOON),
    "game": Kind(When.OPEN, _choose, _must_be_game, counts_gone=BACK_SOON),
}
"""All that a table can decide, by what the wire calls it."""
