"""Votes of the table, for cases in which the host is absent or is the problem.

A room has one vote at a time, of one kind (`games.rooms.vote_kinds`). The vote is kept in the room
(`Room.vote`) after it is over. The voters are the members who played when it began, as long as they
are present. Members who join later cannot vote. A vote passes as soon as more than half of them
agree, and fails after LASTS.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Q

from games.contract.core import Ignored, Refused
from games.engine import time_source
from games.engine.snapshots import load_readable
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.models import Member, Player, Room
from games.rooms import members
from games.rooms.authorization import carries_out, must_be
from games.rooms.vote_kinds import KINDS
from games.rooms.vote_records import Question, Vote, running_match, running_vote, vote_of
from games.wire import commands
from games.wire.parts import VoteAbout

LASTS = timedelta(seconds=20)
AGAIN = timedelta(minutes=2)
"""Time after a failed vote before its question can be asked again, and before its caller can call
another vote.
"""

BACK_SOON = timedelta(minutes=1)

VOTE = ("vote", "vote_until")
"""The fields of a room with its vote."""


def voters(room: Room, about: VoteAbout, now: datetime) -> list[Member]:
    """Return the voters: all members who are in the match, or would be in the next one.

    If all players who are still in are away, eliminated players vote instead.
    """
    present = Q(away_since=None)
    if KINDS[about].counts_briefly_away:
        present |= Q(away_since__gt=now - BACK_SOON)
    here = room.members.filter(present, left_at=None, bot="").order_by("pk")
    if running_match(room) is None:
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
    """Call a vote. The caller's own vote counts in favour.

    Raise Ignored, or Refused with code `players_vote`, `vote_running`, `vote_again`,
    `too_few_vote`, `bad_target`, `bad_game`, `not_away` or `not_allowed_now`.
    """
    now = time_source.now()
    may = tuple(voter.pk for voter in voters(room, about, now))
    if about == "seat" or member.pk not in may:  # votes about seats use `ask_about_seat`
        raise Refused("players_vote") if _is_out(room, member) else Ignored
    whom = _whom(room, about, username)
    if about == "remove":
        may = tuple(pk for pk in may if pk != whom)
    asked = Vote(
        about=about,
        by=member.pk,
        whom=whom,
        game=game,
        match=running_match(room),
        until=now + LASTS,
        voters=may,
        yes=(member.pk,),
        failed=_failed(vote_of(room), now),
    )
    _put(room, asked, now)


def ask_about_seat(room: Room, host: Member, player: Player, heir: Member) -> None:
    """Call a vote on giving the seat of an absent player to another member.

    Raise Refused for the same reasons as `call_vote`, or with code `nobody_votes`.
    """
    now = time_source.now()
    owner = room.members.get(user_id=player.user_id or 0)
    may = tuple(one.pk for one in voters(room, "seat", now) if one.pk not in (host.pk, heir.pk))
    if not may:
        raise Refused("nobody_votes")
    asked = Vote(
        about="seat",
        by=host.pk,
        whom=owner.pk,
        heir=heir.pk,
        game=None,
        match=running_match(room),
        until=now + LASTS,
        voters=may,
        failed=_failed(vote_of(room), now),
    )
    _put(room, asked, now)


def _put(room: Room, vote: Vote, now: datetime) -> None:
    about = vote.about
    if policy_of(room).continuous:
        raise Refused("not_allowed_now")
    must_be(KINDS[about].when, room)
    running = running_vote(room)
    if running is not None and running.until > now:
        raise Refused("vote_running")
    KINDS[about].check(room, vote)
    _must_not_be_again(vote, now)
    _count(room, vote)
    members.changed(room)


@carries_out(commands.CastVote)
def cast_vote(room: Room, member: Member, yes: bool) -> None:
    """Vote yes or no. Voters may change their mind until the vote is decided.

    Raise Refused with code `no_vote` or `came_later`.
    """
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
    members.changed(room)


@command
def end_votes() -> None:
    """Mark votes as failed if their time has run out, and recount the others.

    Recounting is needed because voters may have been eliminated or away for too long.
    """
    running = Room.objects.select_for_update(skip_locked=True).filter(vote_until__isnull=False)
    for room in running.order_by("pk"):
        if room.vote_until is None or room.vote_until > time_source.now():
            if _recount(room):
                members.changed(room)
            continue
        vote = vote_of(room)
        if vote is not None and vote.passed is None:
            _set(room, msgspec.structs.replace(vote, passed=False))
        else:
            room.vote_until = None
        members.changed(room)


def _recount(room: Room) -> bool:
    """Recount the running vote for the voters who are present, and decide it if possible. Return
    whether they have changed.
    """
    vote = None if room.vote_until is None else running_vote(room)
    if vote is None:
        return False
    present = voters(room, vote.about, time_source.now())
    here = {one.pk for one in present if vote.about != "seat" or one.user_id != room.host_id}
    absent = tuple(pk for pk in vote.voters if pk not in here)
    if absent == vote.absent:
        return False
    _count(room, msgspec.structs.replace(vote, absent=absent))
    return True


def on_room_changed(sender: Any, room: Room, **more: Any) -> None:
    """Recount the vote if the members present have changed (`games.rooms.members.on_change`)."""
    if _recount(room):
        room.save(update_fields=VOTE)


def _is_out(room: Room, member: Member) -> bool:
    """Whether a member has a seat in the running match but may not vote."""
    match = load_readable(room.match_id or 0) if running_match(room) else None
    return match is not None and match.seat_of(member.user_id) is not None


def _whom(room: Room, about: VoteAbout, username: str | None) -> int | None:
    """Return the id of the member that the vote is about, or None for a vote about something else.

    Raise Refused("bad_target") if there is none.
    """
    if about not in ("bot", "host", "remove"):
        return None
    found = room.members.filter(left_at=None, bot="", name=username or "").first()
    if found is None:
        raise Refused("bad_target")
    return found.pk


def _failed(last: Vote | None, now: datetime) -> tuple[Question, ...]:
    """Return the questions of recently failed votes that may not be asked again yet."""
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
    """Decide the vote if enough voters have voted, and set it in the room. The caller saves it."""
    passed: bool | None = None
    if len(vote.agreed) >= vote.needed:
        passed = _can_be_done(room, vote)
    elif vote.is_lost:
        passed = False
    _set(room, msgspec.structs.replace(vote, passed=passed))
    if passed:
        room.save(update_fields=VOTE)
        KINDS[vote.about].do(room, vote)
        room.refresh_from_db()


def _set(room: Room, vote: Vote) -> None:
    room.vote = msgspec.to_builtins(vote)
    room.vote_until = vote.until if vote.passed is None else None


def _can_be_done(room: Room, vote: Vote) -> bool:
    """Whether the conditions of the vote still hold."""
    try:
        must_be(KINDS[vote.about].when, room)
        KINDS[vote.about].check(room, vote)
    except Refused:
        return False
    return True
