"""The only thread of this process that writes rooms, matches, chat and decks.

Waiting jobs are committed together, so that one disk sync makes all of them durable. If one of them
fails after it has written something, the group is repeated, with a savepoint for each job. Moves go
first, so that a crowd joining a table does not delay any match. A job's future is resolved after
the commit, never before. While the storage is down, jobs are refused at once, and writing is
retried after a delay (`games.engine.storage`).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from queue import SimpleQueue
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    IntegrityError,
    close_old_connections,
    connection,
    connections,
    transaction,
)

from games.contract.core import Ignored, Refused
from games.engine import figures
from games.engine.log_ids import ids
from games.engine.memory import memory
from games.engine.pauses import TooSoon
from games.engine.storage import check, is_deadlock, is_fault, storage
from games.wire.wire import BadPacket

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

MOST_WAITING = 2000
MOST_TOGETHER = 64
OTHERS_TOGETHER = 8
"""Maximum jobs other than moves in one commit. Moves must not wait for many of them."""
TRIES = 3
WAITS = 3.0
"""Maximum seconds a job waits in the queue. After that it is refused."""
ANSWERED_WITHIN = 4.5
"""Maximum seconds a caller waits. Then the response is `busy`, even if the job is still running."""
LOOKS_EVERY = 0.25
LOOKS_AFTER = 1.0
"""Seconds during which a connection is assumed to work without a check."""
LOCKED_FOR = 1500
"""Maximum milliseconds the writer waits for a lock held by somebody else."""


class Pending(Future[R]):
    """A future that can be awaited, or waited for in a thread.

    It cannot be cancelled: abandoning the wait does not cancel the job.
    """

    def __init__(self) -> None:
        super().__init__()
        self.set_running_or_notify_cancel()

    def __await__(self) -> Generator[Any, None, R]:
        """Wait in the running loop. This is cheaper than `asyncio.wrap_future`."""
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self.add_done_callback(lambda _: _wake(loop, waiter))
        yield from waiter.__await__()
        return self.result()


def _wake(loop: asyncio.AbstractEventLoop, waiter: asyncio.Future[None]) -> None:
    """Wake a waiter from the writer's thread. The waiter's loop may already be closed."""
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_go_on, waiter)


def _go_on(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():  # (the waiting task may have been cancelled)
        waiter.set_result(None)


ANSWERS = (Refused, Ignored, BadPacket, TooSoon)
"""Exceptions with which the rules and higher layers refuse a job."""


class Conflict(Exception):
    """Raised if another process has changed the same data in the meantime. The writer then repeats
    the job.
    """


@dataclass(eq=False)
class _Job(Generic[R]):
    run: Callable[[], R]
    is_move: bool
    pending: Pending[R] = field(default_factory=Pending)
    asked: float = field(default_factory=time.monotonic)
    result: Any = None
    error: BaseException | None = None
    tries: int = 0

    @property
    def is_late(self) -> bool:
        """Whether the job has waited for more than WAITS seconds."""
        return time.monotonic() - self.asked > WAITS

    def refuse(self) -> None:
        self.result, self.error = None, Refused("busy")

    def settle(self) -> None:
        with suppress(InvalidStateError):  # the caller already got `busy`
            if self.error is not None:
                self.pending.set_exception(self.error)
            else:
                self.pending.set_result(self.result)

    def give_up(self) -> None:
        """Respond `busy` unless the job already has a response. The job may still be committed."""
        with suppress(InvalidStateError):
            self.pending.set_exception(Refused("busy"))
            figures.refusals.labels("busy").inc()


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
        return _writer.submit(lambda: function(*args, **kwargs), is_move)

    return enter


class _Writer:
    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job[Any]] = SimpleQueue()
        self._others: deque[_Job[Any]] = deque()
        """Queued jobs other than moves. They are kept apart so that moves can overtake them."""
        self._waiting: dict[_Job[Any], None] = {}
        """All jobs that have not started. They are used to count jobs and to give up on them."""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._group: list[_Job[Any]] = []
        """Jobs that are being written now."""
        self._writes = threading.Event()

    def submit(self, run: Callable[[], R], is_move: bool = False) -> Pending[R]:
        self._ensure_running()
        job = _Job(_about_the_same(run), is_move)
        if self._hangs or len(self._waiting) >= MOST_WAITING:
            figures.refusals.labels("busy").inc()
            job.pending.set_exception(Refused("busy"))
        else:
            self._waiting[job] = None
            self._jobs.put(job)
        return job.pending

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
            time.sleep(LOOKS_EVERY)
            due = time.monotonic() - ANSWERED_WITHIN
            group = self._group
            if all(job.asked > due for job in group):
                continue
            storage.hangs()
            for job in (*group, *tuple(self._waiting)):
                if job.asked <= due:
                    job.give_up()

    def _loop(self) -> None:
        while True:
            self.step()

    def step(self) -> None:
        """Wait for jobs, commit a group of them, and settle it. Simulations call it (tests/sim)."""
        self._group = group = self._next_group()
        for job in group:
            del self._waiting[job]
        self._writes.set()
        _commit(group)
        self._writes.clear()
        self._group = []
        ids.set({})
        for job in group:
            job.settle()
        _count(group, len(self._waiting))

    def _next_group(self) -> list[_Job[Any]]:
        """Wait for jobs. Return all waiting moves, and a few of the other jobs."""
        moves, others = list[_Job[Any]](), self._others
        while len(moves) < MOST_TOGETHER and (not (moves or others) or not self._jobs.empty()):
            job = self._jobs.get()
            (moves if job.is_move else others).append(job)
        return moves + [others.popleft() for _ in range(min(len(others), OTHERS_TOGETHER))]


def _about_the_same(run: Callable[[], R]) -> Callable[[], R]:
    """Use the caller's ids in log lines that the writer's thread writes for the job."""
    known = ids.get()

    def again() -> R:
        ids.set(known)
        return run()

    return again


def _count(group: list[_Job[Any]], waiting: int) -> None:
    now = time.monotonic()
    figures.group_size.observe(len(group))
    figures.waiting.set(waiting)
    for job in group:
        figures.command_seconds.observe(now - job.asked)
        if isinstance(job.error, Refused):
            figures.refusals.labels(job.error.code).inc()


def _commit(group: list[_Job[Any]]) -> None:
    """Run and commit a group. If that fails, run and commit its jobs one by one."""
    error = None if storage.is_resting() else _try(group)
    if storage.is_resting():
        for job in group:
            job.refuse()
    elif error is not None and len(group) > 1:
        for job in group:
            _commit([job])
    elif error is not None:
        log.error("a write failed", exc_info=None if is_deadlock(error) else error)
        group[0].error = Refused("busy") if isinstance(error, DatabaseError) else error


def _try(group: list[_Job[Any]]) -> Exception | None:
    """Run and commit a group.

    If the connection was lost, reconnect and try again. Return the error, if any.
    """
    error = _attempt(group, _run_bare)
    for _ in range(TRIES - 1):
        if not (isinstance(error, _HalfDone) or is_deadlock(error)):
            break
        error = _attempt(group, _run_in_savepoint)
    if error is not None and is_fault(error) and _is_lost():
        connection.close()
        error = _attempt(group, _run_in_savepoint)
    if error is None:
        storage.works()
    elif is_fault(error):
        storage.failed(error)
    return error


class _Writes:
    """Counts the statements that write data (a wrapper of Django's `execute`)."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += not sql.startswith("SELECT")
        return execute(sql, params, many, context)


def _attempt(group: list[_Job[Any]], run: Callable[[_Job[Any], _Writes], None]) -> Exception | None:
    memory.unstage()
    try:
        _look_after_connection()
        _wait_shortly(connections[DEFAULT_DB_ALIAS])
        writes = _Writes()
        with transaction.atomic(), connection.execute_wrapper(writes):
            for job in group:
                job.error = None
                if job.is_late:
                    job.refuse()
                else:
                    run(job, writes)
            check()
    except Exception as error:
        return error
    finally:
        memory.unstage()
    return None


def _look_after_connection() -> None:
    """Close unusable connections, as Django does between requests.

    Doing this occasionally is enough, because the next job notices a lost connection (`_try`).
    """
    global _looked_after
    if time.monotonic() - _looked_after > LOOKS_AFTER:
        close_old_connections()
        if connection.connection is not None and not connection.is_usable():
            connection.close()  # `_wait_shortly` prepares the next one
        _looked_after = time.monotonic()


def _is_lost() -> bool:
    """Whether the last attempt lost its connection. Django may already have opened a new one."""
    now = connection.connection
    return now is None or now is not _prepared or not connection.is_usable()


def _wait_shortly(here: Any) -> None:
    """Limit the time that statements wait for locks, so that another process cannot delay all
    responses.
    """
    global _prepared
    if here.connection is not None and here.connection is _prepared:
        return
    here.ensure_connection()
    sqlite = here.vendor == "sqlite"
    with here.cursor() as cursor:
        cursor.execute(f"{'PRAGMA busy_timeout' if sqlite else 'SET lock_timeout'} = {LOCKED_FOR}")
    _prepared = here.connection


class _HalfDone(Exception):
    """Raised if a job of the group failed after it may have written something."""


def _run_bare(job: _Job[Any], writes: _Writes) -> None:
    """Run one job without a savepoint. Refusals raised before the first write are final."""
    before = writes.count
    try:
        job.result = job.run()
    except ANSWERS as answer:
        if writes.count != before:
            raise _HalfDone from None
        job.error = answer
    except Conflict:
        job.tries += 1
        raise _HalfDone from None
    except IntegrityError as error:
        job.tries += 1
        raise _HalfDone from error
    except DatabaseError:
        raise
    except Exception as error:
        raise _HalfDone from error


def _run_in_savepoint(job: _Job[Any], _writes: _Writes) -> None:
    """Run one job in a savepoint. Retry conflicts. Return refusals as the result."""
    while job.tries < TRIES:
        try:
            with transaction.atomic():
                job.result = job.run()
                return
        except (Conflict, IntegrityError):
            memory.unstage()
            job.tries += 1
        except ANSWERS as answer:
            memory.unstage()
            job.error = answer
            return
        except DatabaseError:
            raise
        except Exception as error:
            memory.unstage()
            log.exception("a command failed")
            job.error = error
            return
    job.error = Refused("busy")


_writer = _Writer()
_prepared: object | None = None
_looked_after = 0.0
