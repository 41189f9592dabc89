"""Computes all ratings again, after a moderator has declared a counted match void."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from django.db.models import OuterRef, Subquery

from games.engine import rated
from games.engine.snapshots import Parked, decode_snapshot
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.history.ratings import (
    AGAIN,
    CHANGES,
    PLAYERS,
    SIDES,
    K,
    Kind,
    PlayerKey,
    Ratings,
    SeatKey,
    V,
    played_in,
)
from games.history.skill import Skill
from games.models import Counter, Match, RatingChange
from games.registry import GAMES
from games.rooms.programs import all_earlier_versions

AT_ONCE = 200
"""Maximum rows that one command writes."""


def is_asked() -> bool:
    """Whether all ratings must be computed again."""
    return Counter.objects.filter(name=AGAIN, value__gt=0).exists()


def recompute() -> int:
    """Compute all ratings again. Return how many rows were wrong.

    Matches are added in the order in which they were first rated. Do not call it in an event loop
    or in the writer.
    """
    while True:
        counted = Counter.last(Counter.MATCHES)
        changes = CHANGES.read()
        computed = Ratings(former=changes, earlier=all_earlier_versions())
        for row in _rated_matches():
            _add_again(computed, row)
        jobs: list[partial[None]] = [
            *_corrections(PLAYERS, PLAYERS.read(), computed.players),
            *_corrections(SIDES, SIDES.read(), computed.sides),
            *_corrections(CHANGES, changes, computed.changes),
        ]
        if all(_correct(job, counted).result() for job in (*jobs, partial(_answer))):
            return sum(len(job.args[0]) for job in jobs)


@command
def _correct(job: Callable[[], None], counted: int) -> bool:
    """Write a portion of rows. Return False if another match has been counted meanwhile."""
    if Counter.last(Counter.MATCHES, lock=True) != counted:
        return False
    job()
    return True


def _answer() -> None:
    """Store that the ratings have been computed again."""
    Counter.objects.filter(name=AGAIN).update(value=0)


def _corrections(
    kind: Kind[K, V], stored: dict[K, V], right: dict[K, V]
) -> Iterator[partial[None]]:
    """Yield jobs that make the stored rows right, each for AT_ONCE rows at most."""
    wrong = sorted((key, value) for key, value in right.items() if stored.get(key) != value)
    for at in range(0, len(wrong), AT_ONCE):
        yield partial(kind.save, dict(wrong[at : at + AT_ONCE]))
    gone = sorted(stored.keys() - right.keys())
    for at in range(0, len(gone), AT_ONCE):
        yield partial(kind.drop, gone[at : at + AT_ONCE])


def _rated_matches() -> Iterator[Match]:
    """Yield all matches that have been rated, in that order."""
    first = RatingChange.objects.filter(match=OuterRef("pk")).order_by("pk").values("pk")[:1]
    found = Match.objects.filter(rated=rated.YES, rating_changes__seat=0).annotate(
        first=Subquery(first)
    )
    yield from (
        found.order_by("first").select_related("room").prefetch_related("players").iterator(AT_ONCE)
    )


def _add_again(computed: Ratings, row: Match) -> None:
    """Add a match. Keep its changes as they are if this code cannot read it."""
    try:
        computed.rate(played_in(row, list(row.players.all()), _sides_of(row)))
    except (Parked, KeyError):
        for player in row.players.all():
            change = computed.former[key := SeatKey(row.pk, player.seat)]
            computed.changes[key] = change
            if player.user_id is not None:
                who = PlayerKey(player.user_id, row.game, policy_of(row.room).pool)
                assert row.ended_at is not None
                computed.know(who, Skill(change.mu, change.sigma), row.ended_at)


def _sides_of(row: Match) -> Sequence[str]:
    sides = GAMES[row.game].rules.sides
    return sides(decode_snapshot(row).state) if sides else ()
