"""Long jobs: work that grows with a user's history, done by the writer in portions.

A row of `LongJob` stores the request. A step finds the rows that remain and processes the next few,
so no other progress is stored. Each portion is one transaction, so it is safe to kill the process
between portions. The leading process continues unfinished jobs (`games.runtime.housekeeping`).
Other commands wait for one portion at most.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from games.contract.core import Refused
from games.engine.writer import command
from games.models import LongJob

log = logging.getLogger(__name__)

WAITS = 2.0
"""Maximum seconds a request spends on a job. The rest is done in the background."""
RESTS = 0.1
"""Maximum seconds between two portions. The break is as long as the portion took."""
AGAIN_AFTER = timedelta(hours=1)
"""Delay before a failed job is tried again."""

Rows = Sequence[Any]


@dataclass(frozen=True)
class Step:
    """One step of a job: the rows it has to process, and the function that processes them.

    `rows` returns the rows that remain. `do` must change or delete each row that it is given, so
    that `rows` no longer includes that row.
    """

    rows: Callable[[LongJob], QuerySet[Any]]
    do: Callable[[LongJob, Rows], None]
    most: int
    """Maximum rows in one portion."""


@dataclass(frozen=True)
class Kind:
    """A kind of job: its steps in order, and a callback after the last one."""

    steps: Sequence[Step]
    finish: Callable[[LongJob], None] = lambda job: None


_kinds: dict[str, Kind] = {}


def register(name: str, kind: Kind) -> None:
    """Register a kind of job. This is called once, when the app is ready."""
    _kinds[name] = kind


def registered() -> dict[str, Kind]:
    """Return all kinds of jobs."""
    return dict(_kinds)


def ask(kind: str, person_id: int, **facts: Any) -> LongJob:
    """Store a job that is due now. Call this inside a command."""
    job, _made = LongJob.objects.update_or_create(
        kind=kind, person_id=person_id, defaults={"facts": facts, "due_at": timezone.now()}
    )
    return job


def begin(kind: str, person_id: int, **facts: Any) -> None:
    """Store a job and do its first portion. For most users, this completes the job.

    Call this inside a command, and `work` afterwards outside of it.
    """
    _advance(ask(kind, person_id, **facts))


@command
def portion(job_id: int) -> bool:
    """Process the next batch of a job. Return whether there is more to do."""
    job = LongJob.objects.select_for_update().filter(pk=job_id).first()
    return job is not None and _advance(job)


def work(person_id: int, seconds: float | None = None) -> int:
    """Work on a user's jobs for `seconds` (WAITS by default). Return the number of rows left.

    Do not call this in an event loop or in the writer.
    """
    until = time.monotonic() + (WAITS if seconds is None else seconds)
    while time.monotonic() < until and (due := _due().filter(person=person_id)):
        if not all(_guarded(job) for job in due):
            break
    return left(person_id)


def work_on_all(stopped: Callable[[], bool] = lambda: False) -> None:
    """Finish all jobs, taking portions of each in turn.

    Do not call this in an event loop or in the writer.
    """
    while not stopped() and (due := list(_due())):
        if not all(_guarded(job) for job in due if not stopped()):
            return


def left(person_id: int) -> int:
    """Return the number of rows left in a user's jobs."""
    return sum(left_of(job) for job in LongJob.objects.filter(person=person_id))


def left_of(job: LongJob) -> int:
    """Return the number of rows left in a job, at least 1."""
    return max(1, sum(step.rows(job).count() for step in _kinds[job.kind].steps))


def waiting() -> bool:
    """Whether any job is due."""
    return _due().exists()


def _due() -> QuerySet[LongJob]:
    due = LongJob.objects.filter(due_at__lte=timezone.now(), kind__in=_kinds)
    return due.order_by("pk")


def _guarded(job: LongJob) -> bool:
    """Do a portion of a job, then sleep as long as it took, but at most RESTS seconds. Return False
    if the writer is busy. A failed job is retried later.
    """
    began = time.monotonic()
    try:
        portion(job.pk).result()
    except Refused:
        return False
    except Exception:
        log.exception("long job %s of person %s failed", job.kind, job.person_id)
        _put_off(job.pk).result()
    time.sleep(min(RESTS, time.monotonic() - began))
    return True


@command
def _put_off(job_id: int) -> None:
    LongJob.objects.filter(pk=job_id).update(due_at=timezone.now() + AGAIN_AFTER)


def _advance(job: LongJob) -> bool:
    """Do a portion of a job. Return whether there is more to do. If a step needs only part of its
    row limit, the next steps get the rest of the portion.
    """
    share = 1.0
    for step in _kinds[job.kind].steps:
        most = int(share * step.most)
        some = list(step.rows(job)[: most or 1])
        if some and not most:
            return True
        if some:
            step.do(job, some)
            LongJob.objects.filter(pk=job.pk).update(done=F("done") + len(some), facts=job.facts)
            share -= len(some) / step.most
            if len(some) == most:
                return True
    _kinds[job.kind].finish(job)
    LongJob.objects.filter(pk=job.pk).delete()
    return False
