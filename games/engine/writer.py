"""The only thread of this process that writes rooms, matches, chat and decks.

Waiting jobs are committed together (`games.engine.committing`), so that one disk sync makes all of
them durable. Moves go first, so that a crowd joining a table does not delay any match. A job's
future is resolved after the commit, never before.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial, wraps
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeVar

from games.contract.core import Refused
from games.engine import figures
from games.engine.committing import Job, commit
from games.engine.log_ids import ids
from games.engine.storage import storage

P = ParamSpec("P")
R = TypeVar("R")

MOST_WAITING = 2000
MOST_TOGETHER = 64
OTHERS_TOGETHER = 8
"""Maximum jobs other than moves in one commit. Moves must not wait for many of them."""
ANSWER_TIMEOUT_S = 4.5
"""Maximum seconds a caller waits. Then the response is `busy`, even if the job is still running."""
WATCH_INTERVAL_S = 0.25


class Pending(Future[R]):
    """A future that can be awaited, or waited for in a thread.

    It cannot be cancelled: abandoning the wait does not cancel the job.
    """

    def __init__(self) -> None:
        super().__init__()
        self.set_running_or_notify_cancel()

    def __await__(self) -> Generator[Any, None, R]:
        """Wait in the running event loop."""
        return asyncio.wrap_future(self).__await__()


def command(function: Callable[P, R]) -> Callable[P, Pending[R]]:
    """Make a function run in the writer's thread, in a transaction. Callers get a Pending.

    Await it, or call `.result()` outside an event loop. Ignored, Refused and BadPacket are passed
    on to the caller. A full queue raises Refused("busy").
    """

    return _entering(function, is_move=False)


def move_command(function: Callable[P, R]) -> Callable[P, Pending[R]]:
    """Like `command`, for commands that advance a running match. The writer runs them first."""
    return _entering(function, is_move=True)


def _entering(function: Callable[P, R], is_move: bool) -> Callable[P, Pending[R]]:
    @wraps(function)
    def enter(*args: P.args, **kwargs: P.kwargs) -> Pending[R]:
        return _writer.submit(partial(function, *args, **kwargs), is_move)

    return enter


class _Writer:
    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job[Any]] = SimpleQueue()
        self._others: deque[Job[Any]] = deque()
        """Queued jobs other than moves. They are kept apart so that moves can overtake them."""
        self._waiting: dict[Job[Any], None] = {}
        """All jobs that have not started. They are used to count jobs and to give up on them."""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._aside: list[Job[Any]] = []
        """Jobs that met a row locked by another session, and are tried again later."""
        self._group: list[Job[Any]] = []
        """Jobs that are being written now."""
        self._writes = threading.Event()

    def submit(self, run: Callable[[], R], is_move: bool = False) -> Pending[R]:
        self._ensure_running()
        pending = Pending[R]()
        if self._hangs or len(self._waiting) + len(self._aside) >= MOST_WAITING:
            figures.refusals.labels("busy").inc()
            pending.set_exception(Refused("busy"))
        else:
            job = Job(run, is_move, pending)
            self._waiting[job] = None
            self._jobs.put(job)
        return pending

    def _ensure_running(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._loop, name="writer", daemon=True)
                self._thread.start()
                threading.Thread(target=self._watch, name="writer-watch", daemon=True).start()

    @property
    def _hangs(self) -> bool:
        """Whether the jobs being written have taken so long that callers gave up."""
        group = self._group
        return any(job.pending.done() for job in group)

    def _watch(self) -> None:
        """Respond `busy` to callers who have waited too long for a hanging database or disk.

        The job may be committed after all. If so, repeating the move returns the result of the
        first attempt.
        """
        while True:
            self._writes.wait()
            time.sleep(WATCH_INTERVAL_S)
            due = time.monotonic() - ANSWER_TIMEOUT_S
            group = self._group
            if all(job.asked > due for job in group):
                continue
            storage.hangs()
            for job in (*group, *tuple(self._waiting), *tuple(self._aside)):
                if job.asked <= due:
                    job.give_up()

    def _loop(self) -> None:
        while True:
            self.step()

    def step(self) -> None:
        """Wait for jobs, commit a group of them, and settle it. Simulations call it (tests/sim)."""
        if group := self._next_group():
            for job in group:
                del self._waiting[job]
            self._write(group, in_a_hurry=bool(self._aside))
        now = time.monotonic()
        for job in [job for job in self._aside if job.due <= now]:
            self._aside.remove(job)
            self._write([job], in_a_hurry=True)  # alone, because it may still be blocked

    def _write(self, group: list[Job[Any]], in_a_hurry: bool) -> None:
        self._group = group
        self._writes.set()
        commit(group, in_a_hurry)
        self._writes.clear()
        self._group = []
        ids.set({})
        self._aside += [job for job in group if job.is_blocked]
        done = [job for job in group if not job.is_blocked]
        for job in done:
            job.settle()
        _count(done, len(self._waiting))

    def _next_group(self) -> list[Job[Any]]:
        """Wait for jobs. Return all waiting moves, and a few of the other jobs.

        Return none if a job that was put aside becomes due first.
        """
        moves, others = list[Job[Any]](), self._others
        with suppress(Empty):
            while len(moves) < MOST_TOGETHER and (not (moves or others) or not self._jobs.empty()):
                job = self._jobs.get(timeout=self._next_due())
                (moves if job.is_move else others).append(job)
        return moves + [others.popleft() for _ in range(min(len(others), OTHERS_TOGETHER))]

    def _next_due(self) -> float | None:
        """Return the seconds until a job that was put aside is due, or None if there is none."""
        if not self._aside:
            return None
        return max(0.0, min(job.due for job in self._aside) - time.monotonic())


def _count(group: list[Job[Any]], waiting: int) -> None:
    now = time.monotonic()
    figures.group_size.observe(len(group))
    figures.waiting.set(waiting)
    for job in group:
        figures.command_seconds.observe(now - job.asked)
        if isinstance(job.error, Refused):
            figures.refusals.labels(job.error.code).inc()


_writer = _Writer()


def waiting_jobs() -> int:
    """Return how many jobs wait for the writer of this process."""
    return len(_writer._waiting)
