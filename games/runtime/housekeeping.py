"""Regular jobs that one process does for all: end votes, count matches, delete old data, and so on.

The leading process (`games.runtime.heartbeat`) runs them. Short jobs run in the thread of the
clock, and long jobs in separate threads, so that no bot has to wait.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from django.conf import settings
from django.db import connection

from games.contract.core import Refused
from games.engine import long_jobs
from games.engine.time_source import source
from games.engine.writer import Pending
from games.history import counting, retention
from games.models import Room
from games.rooms import ladder, mixing, nudging, seeking, votes
from games.rooms.cleanup import Cleanup
from games.runtime.guarded import guarded
from games.runtime.turn_calls import TurnCalls

log = logging.getLogger(__name__)

VOTES_EVERY = 0.5
MIXING_EVERY = 0.25
CLEANUP_EVERY = 5.0
PRUNE_EVERY = 3600.0
NUDGE_EVERY = 60.0
LONG_JOBS_EVERY = 1.0
COUNT_EVERY = 2.0
SEEKS_EVERY = 1.0
LADDER_EVERY = 1.0
LADDER_TABLES_EVERY = 5.0
AT_ONCE = float("-inf")
"""Initial time of the last run for jobs that must run right after the start."""


class Housekeeping:
    """Runs each job at its interval. Long jobs call `stopped` to learn whether they must stop."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self._calls, cleanup = TurnCalls(), Cleanup()
        self._mixes = False
        """Whether a start waited for answers when this was last checked."""
        self._cleanup = _Beside("cleanup", lambda: cleanup.run(stopped=stopped))
        self._prune = _Beside("prune", _prune)
        self._portions = _Beside("portions", lambda: long_jobs.work_on_all(stopped))
        self._count = _Beside("count", lambda: counting.run(stopped))
        begun = source.monotonic()
        self._jobs = [
            _Job(_end_votes, VOTES_EVERY, begun),
            _Job(self._mix_luck, MIXING_EVERY, begun),
            _Job(self._clean_up, CLEANUP_EVERY, begun),
            _Job(self._prune.begin, PRUNE_EVERY, AT_ONCE),
            _Job(_nudge, NUDGE_EVERY, AT_ONCE),
            _Job(self._continue_long_jobs, LONG_JOBS_EVERY, begun),
            _Job(self._count_matches, COUNT_EVERY, begun),
            _Job(_advance_seeks, SEEKS_EVERY, begun),
            _Job(_advance_ladder, LADDER_EVERY, begun),
            _Job(_open_ladder_tables, LADDER_TABLES_EVERY, begun),
        ]

    def run(self) -> None:
        """Run the jobs that are due. A failing job does not affect the others."""
        for job in self._jobs:
            if job.is_due():
                guarded(job.do)

    def soonest(self) -> float:
        """Return the seconds until a job should run again: soon if a start waits for answers."""
        return MIXING_EVERY if self._mixes else CLEANUP_EVERY

    def _mix_luck(self) -> None:
        self._mixes = mix_luck()

    def stop(self) -> None:
        """Start no more jobs, and wait at most 5 seconds for running ones."""
        self._calls.stop()
        beside = (self._cleanup, self._prune, self._portions, self._count)
        running = [job.stop() for job in beside]
        wait([job for job in running if job is not None], timeout=5)

    def _clean_up(self) -> None:
        self._cleanup.begin()
        if settings.PUSH_PRIVATE_KEY:
            self._calls.run()

    def _continue_long_jobs(self) -> None:
        """Continue long jobs in a thread, which is started only if there are any."""
        if long_jobs.waiting():
            self._portions.begin()

    def _count_matches(self) -> None:
        """Count finished matches in a thread, which is started only if there are any."""
        if counting.waiting():
            self._count.begin()


class _Beside:
    """A job without a time limit, run in a dedicated thread."""

    def __init__(self, name: str, do: Callable[[], object]) -> None:
        self._do = do
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._running: Future[None] | None = None

    def begin(self) -> None:
        """Start the job unless it is still running."""
        if self._running is None or self._running.done():
            self._running = self._thread.submit(self._run)

    def stop(self) -> Future[None] | None:
        """Start no more runs. Return the future of the current or last run, if any."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        return self._running

    def _run(self) -> None:
        try:
            guarded(self._do)
        finally:
            connection.close()


class _Job:
    def __init__(self, do: Callable[[], None], every: float, done_at: float) -> None:
        self.do, self._every, self._done_at = do, every, done_at

    def is_due(self) -> bool:
        """Whether the interval has passed. If it has, begin the next interval."""
        now = source.monotonic()
        if now - self._done_at < self._every:
            return False
        self._done_at = now
        return True


def _end_votes() -> None:
    if Room.objects.filter(vote_until__isnull=False).exists():
        votes.end_votes().result()


def mix_luck() -> bool:
    """Continue every start that waits. One that fails does not affect the others.

    Return whether there were any.
    """
    return _await_all([mixing.go_on(room_id) for room_id in mixing.waiting()])


def _advance_seeks() -> None:
    if seeking.is_due():
        seeking.advance().result()


def _advance_ladder() -> None:
    if ladder.is_due():
        ladder.advance().result()


def _open_ladder_tables() -> None:
    if ladder.may_open():
        ladder.open_tables().result()


def _nudge() -> None:
    _await_all([nudging.nudge_deserted(match_id) for match_id in nudging.deserted()])


def _await_all(submitted: Sequence[Pending[Any]]) -> bool:
    """Wait for jobs that the writer can commit together. Log the errors of those that fail.

    Return whether there were any.
    """
    for job in submitted:
        guarded(job.result)
    return bool(submitted)


def _prune() -> None:
    """Prune old data once a day."""
    try:
        retention.daily()
    except Refused:
        log.warning("the writer is busy, expired data is removed later")
