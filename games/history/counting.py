"""Number finished matches, outside of the moves that end them.

A match gets its number (`Match.no`) within seconds of its end. Numbers rise in the order in which
they are committed, so a reader who has seen number N has missed no lower one. A change of a
finished match removes its number (`games.engine.seat_owners.revise`). It then gets a higher one,
and `Match.counted_at` shows that it was counted before.

The leading process runs this job. Each match is one transaction, so it is safe to kill the process
at any time, and two processes never count a match twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from games.contract.core import Refused
from games.engine.snapshots import MatchSnapshot
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.history import ratings, rerating, tallies
from games.models import Counter, Match, Player

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Maximum matches that are handed to the writer together."""

Write = Callable[[], None]
PARTS: Sequence[Callable[[MatchSnapshot], Write]] = (tallies.part, ratings.part)
"""Functions that count something else with a match: statistics and ratings of its players.

Each part reads and computes outside of the writer, and returns a function that writes the result in
the transaction that numbers the match. It is called once per match.
"""


def uncounted() -> QuerySet[Match]:
    """Return the finished matches without a number, in the order in which they are counted."""
    return Match.objects.filter(no=None, ended_at__isnull=False).order_by("ended_at", "pk")


def run(stopped: Callable[[], bool] = lambda: False) -> int:
    """Count all finished matches that have no number, then correct what has changed since.

    Return how many matches were counted. Do not call it in an event loop or in the writer's thread.
    """
    counted = 0
    with suppress(Refused):  # the writer is busy: the rest is counted later
        while not stopped() and (portion := _next()):
            counted += _count(portion)
        for user_id in tallies.asked():
            if stopped():
                break
            tallies.recount(user_id)
        if rerating.is_asked() and not stopped():
            rerating.recompute()
    return counted


def waiting() -> bool:
    """Whether there is anything to count."""
    return uncounted().exists() or any(tallies.asked()) or rerating.is_asked()


def _next() -> list[Match]:
    return list(uncounted().select_related("room").defer("state")[:AT_ONCE])


def _count(portion: Sequence[Match]) -> int:
    pending: list[Any] = []
    if unlisted := [row.pk for row in portion if not policy_of(row.room).archived]:
        pending.append(leave_out(unlisted))
    for row in portion:
        if row.pk not in unlisted:
            writes = _writes(row.pk) if row.counted_at is None else ()
            pending.append(count(row.pk, row.revision, writes))
    return sum(done.result() is not None for done in pending)


def _writes(match_id: int) -> Sequence[Write]:
    """Compute what is counted with a match. A match that cannot be read only gets its number."""
    if not PARTS:
        return ()
    try:
        match = tallies.finished(match_id)
        return [part(match) for part in PARTS]
    except Exception:
        log.exception("match %s cannot be counted", match_id)
        return ()


@command
def count(match_id: int, revision: int, writes: Sequence[Write]) -> int | None:
    """Give a match the next number, and write what is counted with it.

    Return the number, or None if another process has counted the match meanwhile, or if it has
    changed since this revision was read.
    """
    counter, _ = Counter.objects.select_for_update().get_or_create(name=Counter.MATCHES)
    row = uncounted().filter(pk=match_id, revision=revision)
    number, now = counter.value + 1, timezone.now()
    if not row.filter(counted_at=None).update(no=number, counted_at=now):
        writes = ()
        if not row.update(no=number):
            return None
    Player.objects.filter(match=match_id).update(no=number)
    Counter.objects.filter(pk=counter.pk).update(value=number)
    for write in writes:
        write()
    return number


@command
def leave_out(match_ids: Sequence[int]) -> None:
    """Mark matches that appear in no list with a negative number, so that they are not read again.

    These are the rounds of tables with their own history, such as Mia over UDP.
    """
    uncounted().filter(pk__in=match_ids).update(no=-F("pk"))
