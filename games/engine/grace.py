"""Postponing stored times after periods in which nobody could act.

Call these functions within a job of the writer.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from games.engine import notifications, talk, timing
from games.engine.snapshots import Parked, snapshot_of
from games.models import Match, Member, Room

NOTHING = timedelta(0)
TOGETHER = 100
CLOCKS = ("deadline", "plans", "talks", "wake_at")
"""Columns of a match with times, apart from those that only say when something began."""
ANSWERS_WITHIN = timedelta(seconds=10)
"""Time that the start of a match waits for answers after an outage (`games.rooms.mixing`)."""


def put_off(by: timedelta, now: datetime, least: timedelta = NOTHING) -> None:
    """Postpone all stored times by `by`. Questions stay open for at least `least`.

    `by` is negative if the system clock was set back. The jump marks nobody as away. Only matches
    with a clock or bots are changed one by one, because all other commands wait until this is done.
    """
    running = Match.objects.filter(ended_at=None).order_by("pk")
    found = [match for match in running.select_for_update() if _has_times(match)]
    for match in found:
        move(match, by, now + (least if least and _asks(match) else NOTHING))
    Match.objects.bulk_update(found, CLOCKS, batch_size=TOGETHER)
    running.order_by().update(
        asked_at=F("asked_at") + by,
        awaited_from=F("awaited_from") + by,
        revision=F("revision") + 1,  # makes all processes reload the match
    )
    _show(Room.objects.filter(match__ended_at=None, match__isnull=False))
    people = Member.objects.filter(left_at=None, bot="")
    people.filter(away_since=None).update(seen_at=now)
    people.exclude(away_since=None).update(away_since=F("away_since") + by)
    rooms = Room.objects.exclude(status=Room.Status.CLOSED).exclude(empty_since=None)
    rooms.update(empty_since=F("empty_since") + by)
    Room.objects.exclude(mixing_until=None).update(mixing_until=now + ANSWERS_WITHIN)


def ask_again(match: Match, now: datetime) -> bool:
    """Give one match a short grace period.

    Return False if another process has changed the match.
    """
    before = match.revision
    _put_off(match, NOTHING, now + timedelta(seconds=timing.GRACE))
    fields = {n: getattr(match, n) for n in ("deadline", "plans", "talks", "wake_at", "revision")}
    mine = Match.objects.filter(pk=match.pk, version=match.version, revision=before)
    changed = bool(mine.update(**fields))
    if changed:
        _show(Room.objects.filter(match=match.pk))
    return changed


def _has_times(match: Match) -> bool:
    return any(getattr(match, column) for column in CLOCKS)


def _asks(match: Match) -> bool:
    """Whether a player must answer in time. If not, this is at most a display pause, which needs no
    extra time.
    """
    if match.deadline is None:
        return False
    try:
        known = snapshot_of(match)
    except Parked:
        return True
    return bool(known.game.rules.awaited(known.state))


def _put_off(match: Match, by: timedelta, earliest: datetime) -> None:
    move(match, by, earliest)
    match.revision += 1  # makes all processes reload the match


def move(match: Match, by: timedelta, earliest: datetime | None = None) -> None:
    """Postpone all times of this match. The new deadline is not before `earliest`."""
    if match.deadline is not None:
        match.deadline = max(match.deadline + by, earliest or match.deadline + by)
    if match.asked_at is not None:
        match.asked_at += by
    if match.awaited_from is not None:
        match.awaited_from += by
    _put_off_bots(match, by)


def _put_off_bots(match: Match, by: timedelta) -> None:
    """Postpone plans, claims and `wake_at`.

    A match with unreadable plans is parked and keeps them. The other matches are still postponed.
    """
    seconds = by.total_seconds()
    try:
        plans = timing.read_plans(match.plans)
    except (AttributeError, TypeError, ValueError):
        match.wake_at = match.wake_at and match.wake_at + by
        return
    match.plans = {seat: [prompt, due + seconds] for seat, (prompt, due) in plans.items()}
    match.talks = talk.moved(match.talks, seconds)
    match.wake_at = timing.wake_at(match)


def _show(rooms: QuerySet[Room]) -> None:
    """Show the new times to everybody viewing these rooms."""
    rooms.update(version=F("version") + 1)
    for room_id in rooms.values_list("pk", flat=True):
        notifications.notify_room_changed(room_id)
