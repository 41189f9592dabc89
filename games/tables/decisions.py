"""Packets about the table's vote, and new reactions of its members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from games.models import Member
from games.rooms.mixing_records import Void, mixing_of
from games.rooms.reacting import Shown, reactions_of
from games.rooms.vote_records import Vote, running_vote, vote_of
from games.tables.table import Table
from games.wire import parts, server
from games.wire.wire import iso


def table_vote(table: Table) -> parts.TableVote | None:
    """Return the running vote, if any."""
    vote = running_vote(table.room)
    return None if vote is None else _told(table, vote)


def vote_changes(before: Table, now: Table) -> Iterator[server.Sent]:
    """Yield a packet for each vote that was called, cast, changed or ended."""
    if _kept(before) == _kept(now):
        return
    was, vote = running_vote(before.room), running_vote(now.room)
    newest = vote_of(now.room)
    if was is not None and (newest is None or newest.until != was.until or vote is None):
        yield server.VoteEnded(was.about, _has_passed(now, was))
        was = None
    if was is None and newest is not None and newest != vote and _is_new(before, newest):
        yield _called(now, newest)  # passed at once, by the caller's own vote
        yield server.VoteEnded(newest.about, bool(newest.passed))
    if vote is None:
        return
    if was is None:
        yield _called(now, vote)
        return
    names = _names(now)
    for yes, old, new in ((True, was.yes, vote.yes), (False, was.no, vote.no)):
        for voter in new:
            if voter not in old and voter in names:
                yield server.VoteCast(names[voter], yes)
    if was.deciding != vote.deciding:
        yield server.VoteChanged(**_fields(_told(now, vote)))


def _kept(table: Table) -> tuple[object, ...]:
    return table.room.vote, table.room.status, table.room.match_id


def has_failed(before: Table, now: Table) -> bool:
    """Whether a vote that was running has failed."""
    was = running_vote(before.room)
    return was is not None and running_vote(now.room) is None and not _has_passed(now, was)


def voided(before: Table, now: Table) -> Iterator[server.LuckVoid]:
    """Yield a packet for each list of shares that could not be completed."""
    if before.room.mixing == now.room.mixing:
        return
    was, mixing = mixing_of(before.room), mixing_of(now.room)
    known = {one.listed for one in was.voids} if was is not None else set()
    for one in mixing.voids if mixing is not None else ():
        if one.listed not in known:
            seats = tuple(parts.LuckSeat(**seat._asdict()) for seat in one.seats)
            yield server.LuckVoid(
                list_=one.listed,
                server_seed=one.server_seed,
                missing=one.missing,
                gone=gone_of(one),
                seats=seats,
            )


def gone_of(void: Void) -> tuple[str, ...] | UnsetType:
    """Return who has left the table of a void list."""
    return UNSET if void.gone is None else void.gone


def was_given_up(before: Table, now: Table) -> bool:
    """Whether a start was given up, because its luck could not be mixed."""
    if before.room.mixing == now.room.mixing:
        return False
    mixing = mixing_of(now.room)
    return mixing is not None and mixing.failed


def reacted(before: Table, now: Table, user_id: int | None) -> Iterator[tuple[Member, Shown]]:
    """Yield the new reactions that this user may see, each with its member.

    None is a big screen.
    """
    if before.room.reactions == now.room.reactions:
        return
    known = reactions_of(before.room)
    last = known[-1].number if known else 0
    here = {member.pk: member for member in now.members}
    for one in reactions_of(now.room):
        member = here.get(one.by)
        if one.number > last and member is not None and _may_see(now, user_id, member, one):
            yield member, one


def _may_see(now: Table, user_id: int | None, member: Member, one: Shown) -> bool:
    """Whether this user may see a reaction.

    Viewers do not see the reactions of users they have muted. Players who are still in never see
    the gallery's reactions.
    """
    if member.user_id in now.muted(user_id):
        return False
    if one.audience == "table":
        return True
    return user_id is not None and one.match == now.match_id and now.acting(user_id) is None


def _is_new(before: Table, vote: Vote) -> bool:
    last = vote_of(before.room)
    return last is None or last.until != vote.until


def _has_passed(now: Table, was: Vote) -> bool:
    newest = vote_of(now.room)
    return newest is not None and newest.until == was.until and bool(newest.passed)


def _called(now: Table, vote: Vote) -> server.VoteCalled:
    return server.VoteCalled(**_fields(_told(now, vote)))


def _fields(vote: parts.TableVote) -> dict[str, Any]:
    return {name: getattr(vote, name) for name in vote.__struct_fields__}


def _told(table: Table, vote: Vote) -> parts.TableVote:
    names = _names(table)
    return parts.TableVote(
        about=vote.about,
        by=names.get(vote.by),
        username=None if vote.whom is None else names.get(vote.whom),
        heir=UNSET if vote.heir is None else names.get(vote.heir),
        game=vote.game,
        voters=_named(names, vote.deciding),
        yes=_named(names, vote.agreed),
        no=_named(names, vote.declined),
        needed=vote.needed,
        until=iso(vote.until),
    )


def _names(table: Table) -> dict[int, str]:
    return {member.pk: member.name for member in (*table.members, *table.gone)}


def _named(names: dict[int, str], rows: Sequence[int]) -> tuple[str, ...]:
    return tuple(names[row] for row in rows if row in names)
