"""The times of a paused match, stored as remaining seconds so that nothing falls due.

`Match.paused` holds them. `deadline`, `awaited_from`, `wake_at`, `plans` and `talks` are empty
during the pause, so clock, nudges and postponements skip the match. Call these functions within a
job of the writer, on a row that is not shared.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from games.engine import talk, timing
from games.models import Match

FIELDS = (
    "asked_at",
    "awaited_from",
    "deadline",
    "wake_at",
    "plans",
    "talks",
    "paused",
    "pace",
    "dealt",
)
"""Fields of `Match` that hold its times, and what they depend on."""


class Pause(Struct, frozen=True):
    """A pause: the `Member` who paused the match, the time, and the match's times in seconds."""

    by: int
    since: datetime
    stood: float
    """Seconds since the question was asked."""
    left: float | None
    """Seconds until the deadline, or None if there is no clock."""
    plans: timing.Plans
    """For each seat: the bot's prompt, and the seconds until the bot answers."""
    shows: float = 0.0
    """Seconds for which past events are still being shown."""
    talks: talk.Talks = {}
    """For each claim: the seconds until its bot speaks."""


def pause_of(match: Match) -> Pause | None:
    """Return the pause of a match, or None if it is running or over.

    Raise ValidationError if it cannot be decoded.
    """
    if match.paused is None or match.ended_at is not None:
        return None
    return msgspec.convert(match.paused, Pause)


def freeze(match: Match, by: int, since: datetime, now: datetime) -> None:
    """Pause a match by replacing its times with the remaining seconds."""
    at = now.timestamp()
    opened, ends = match.asked_at or match.started_at, match.deadline
    kept = Pause(
        by=by,
        since=since,
        stood=(now - opened).total_seconds(),
        left=None if ends is None else max(0.0, (ends - now).total_seconds()),
        plans={seat: [prompt, max(0.0, due - at)] for seat, (prompt, due) in match.plans.items()},
        shows=max(0.0, (match.awaited_from - now).total_seconds()) if match.awaited_from else 0.0,
        talks=talk.moved(match.talks, -at),
    )
    match.paused = msgspec.to_builtins(kept)
    match.deadline, match.wake_at, match.plans = None, None, {}
    match.awaited_from, match.talks = None, {}


def thaw(match: Match, now: datetime) -> Pause | None:
    """Restart all times of a paused match from now. Return the pause, or None if the match is not
    paused.
    """
    pause = pause_of(match)
    match.paused = None
    if pause is None:
        return None
    at = now.timestamp()
    match.asked_at = now - timedelta(seconds=pause.stood)
    match.deadline = None if pause.left is None else now + timedelta(seconds=pause.left)
    match.awaited_from = now + timedelta(seconds=pause.shows) if pause.shows else None
    match.plans = {seat: [prompt, at + due] for seat, (prompt, due) in pause.plans.items()}
    match.talks = talk.moved(pause.talks, at)
    match.wake_at = timing.wake_at(match)
    return pause
