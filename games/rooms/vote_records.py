"""Votes of the table, as they are stored in a room (`Room.vote`)."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct

from games.models import Room
from games.wire.parts import VoteAbout


class Question(Struct, frozen=True):
    """The question of a vote, and the member who asked it. Members are given by their ids."""

    about: VoteAbout
    by: int
    whom: int | None
    game: str | None
    match: int | None
    """The match that was running when the vote began. The vote ends with it."""
    until: datetime

    def is_again(self, asked: Question) -> bool:
        """Whether `asked` is the same question or has the same caller, in the same match."""
        same = (self.about, self.whom, self.game) == (asked.about, asked.whom, asked.game)
        return self.match == asked.match and (same or self.by == asked.by)


class Vote(Question, frozen=True, kw_only=True):
    """A vote as stored. Votes of absent voters are kept but do not count."""

    voters: tuple[int, ...]
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()
    passed: bool | None = None
    """Whether the vote has passed, or None if it is undecided."""
    failed: tuple[Question, ...] = ()
    """Recent failed votes before this one. Each of them failed at `until` or earlier."""
    heir: int | None = None
    """The member who gets the seat. The heir and the host do not vote on it."""
    absent: tuple[int, ...] = ()
    """Voters who have left, are away or are out. Their votes count again as soon as they return."""

    @property
    def deciding(self) -> tuple[int, ...]:
        """Ids of the voters who are present."""
        return tuple(pk for pk in self.voters if pk not in self.absent)

    @property
    def agreed(self) -> tuple[int, ...]:
        """Ids of the present voters in favour."""
        return tuple(pk for pk in self.yes if pk not in self.absent)

    @property
    def declined(self) -> tuple[int, ...]:
        """Ids of the present voters against."""
        return tuple(pk for pk in self.no if pk not in self.absent)

    @property
    def needed(self) -> int:
        """Number of votes needed, which is more than half of the present voters."""
        return len(self.deciding) // 2 + 1

    @property
    def is_lost(self) -> bool:
        """Whether the vote can no longer pass."""
        return 0 < len(self.deciding) < len(self.declined) + self.needed


def vote_of(room: Room) -> Vote | None:
    """Return the newest vote of a room, decided or not, or None if there was none."""
    return None if room.vote is None else msgspec.convert(room.vote, Vote)


def running_vote(room: Room) -> Vote | None:
    """Return the undecided vote of a room, even if its time has run out, or None."""
    vote = vote_of(room)
    if vote is None or vote.passed is not None or vote.match != running_match(room):
        return None
    return vote


def running_match(room: Room) -> int | None:
    """Return the id of the match that is running in a room, or None between matches."""
    return room.match_id if room.status == Room.Status.PLAYING else None
