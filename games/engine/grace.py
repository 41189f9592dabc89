"""Postponing stored times after periods in which nobody could act.

Call these functions within a job of the writer.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F

from games.engine import notifications, talk, timing
from games.engine.snapshots import load_readable
from games.models import Match, Member, Room

NOTHING = timedelta(0)
TOGETHER = 100
ANSWERS_WITHIN = timedelta(seconds=10)
"""Time that the start of a match waits for answers after an outage (`games.rooms.mixing`)."""


def put_off(by: timedelta, now: datetime, least: timedelta = NOTHING) -> None:
    """Postpone all stored times by `by`. Questions stay open for at least `least`.

    `by` is negative if the system clock was set back. The jump marks nobody as away.
    """
    running = Match.objects.filter(ended_at=None).order_by("pk")
    found = list(running.select_for_update())
    for match in found:
        _put_off(match, by, now + (least if least and _asks(match) else NOTHING))
    fields = ["asked_at", "awaited_from", "deadline", "plans", "talks", "wake_at", "revision"]
    Match.objects.bulk_update(found, fields, batch_size=TOGETHER)
    _show([match.pk for match in found])
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
        _show([match.pk])
    return changed


def _asks(match: Match) -> bool:
    """Whether a player must answer. If not, this is a display pause, which needs no extra time."""
    known = load_readable(match.pk)
    return known is None or bool(known.game.rules.awaited(known.state))


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


def _show(matches: Iterable[int]) -> None:
    """Show the new times to everybody viewing these matches."""
    rooms = Room.objects.filter(match__in=matches)
    rooms.update(version=F("version") + 1)
    for room_id in rooms.values_list("pk", flat=True):
        notifications.notify_room_changed(room_id)
