"""Commit groups of jobs, each group in one transaction.

If a job fails after it has written something, the group is repeated, with a savepoint for each job.
If another session locks a row in PostgreSQL, the job is put aside, the others are committed without
it, and the writer tries it again later. So one locked match does not delay other matches. While the
storage is down, jobs are refused at once, and writing is retried after a delay
(`games.engine.storage`). All of this runs in the writer's thread (`games.engine.writer`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db import DatabaseError, IntegrityError, close_old_connections, connection, transaction

from games.contract.core import Ignored, Refused
from games.engine import figures
from games.engine.log_ids import ids
from games.engine.memory import memory
from games.engine.pauses import TooSoon
from games.engine.storage import check, is_deadlock, is_fault, is_row_locked, storage
from games.wire.wire import BadPacket

log = logging.getLogger(__name__)

R = TypeVar("R")

TRIES = 3
LONGEST_WAIT_S = 3.0
"""Maximum seconds a job waits in the queue. After that it is refused."""
CHECK_INTERVAL_S = 1.0
"""Seconds during which a connection is assumed to work without a check."""
LOCK_TIMEOUT_MS = {"sqlite": 1500, "postgresql": 50}
"""Maximum milliseconds a statement of the writer waits for a lock held by another process.

PostgreSQL locks rows, so other jobs must not wait for long. SQLite locks the whole file, so nothing
else could be written anyway.
"""
IN_A_HURRY_MS = 2
"""The same while a job is put aside, and for further attempts of that job. PostgreSQL only."""
FIRST_DELAY_S = 0.1
"""Seconds until a job that met a locked row is tried again. The delay doubles with each attempt."""

ANSWERS = (Refused, Ignored, BadPacket, TooSoon)
"""Exceptions with which the rules and higher layers refuse a job."""


class Conflict(Exception):
    """Raised if another process has changed the same data in the meantime. The writer then repeats
    the job.
    """


@dataclass(eq=False)
class Job(Generic[R]):
    run: Callable[[], R]
    is_move: bool
    pending: Future[R]
    asked: float = field(default_factory=time.monotonic)
    ids: Mapping[str, int | str] = field(default_factory=ids.get)
    """The caller's ids, for log lines about the job."""
    result: Any = None
    error: BaseException | None = None
    tries: int = 0
    is_blocked: bool = False
    """Whether the last attempt met a row locked by another session."""
    delay: float = FIRST_DELAY_S
    due: float = 0.0
    """Monotonic time at which a blocked job is tried again."""

    def refuse(self) -> None:
        self.result, self.error = None, Refused("busy")

    def put_aside(self) -> None:
        """Try this job again after a delay. Log a lock that lasts, at most once a minute."""
        self.is_blocked = True
        if self.delay > FIRST_DELAY_S and storage.is_new("row locked"):
            log.warning("another session has locked a row; the command waits and is tried again")
        self.due = time.monotonic() + self.delay
        self.delay *= 2

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


def commit(group: list[Job[Any]], in_a_hurry: bool = False) -> None:
    """Run and commit a group. If that fails, run and commit its jobs one by one.

    `in_a_hurry`: do not wait for locks, because another session is already known to keep one.
    Afterwards each job has a result or an error, or `is_blocked` is set and nothing was written.
    """
    _connection.in_a_hurry = in_a_hurry
    for job in group:
        job.is_blocked = False
    error = None if storage.is_resting() else _try(group)
    if storage.is_resting():
        for job in group:
            job.refuse()
    elif any(job.is_blocked for job in group):
        if rest := [job for job in group if not job.is_blocked]:
            commit(rest, in_a_hurry=True)
    elif error is not None and len(group) > 1:
        for job in group:
            commit([job], in_a_hurry)
    elif error is not None:
        log.error("a write failed", exc_info=None if is_deadlock(error) else error)
        group[0].error = Refused("busy") if isinstance(error, DatabaseError) else error


def _try(group: list[Job[Any]]) -> Exception | None:
    """Run and commit a group.

    If the connection was lost, reconnect and try again. Return the error, if any.
    """
    error = _attempt(group, _run_bare)
    for _ in range(TRIES - 1):
        if error is None or not (isinstance(error, _HalfDone) or is_deadlock(error)):
            break
        error = _attempt(group, _run_in_savepoint)
    if error is not None and is_fault(error) and _connection.is_lost():
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


def _attempt(group: list[Job[Any]], run: Callable[[Job[Any], _Writes], None]) -> Exception | None:
    try:
        _connection.prepare()
        writes = _Writes()
        with transaction.atomic(), connection.execute_wrapper(writes):
            for job in group:
                job.error = None
                ids.set(job.ids)
                if time.monotonic() - job.asked > LONGEST_WAIT_S:
                    job.refuse()
                else:
                    run(job, writes)
            check()
    except Exception as error:
        if is_row_locked(error):
            job.put_aside()
        return error
    finally:
        memory.unstage()
    return None


class _Connection:
    """The database connection of the writer's thread."""

    def __init__(self) -> None:
        self._prepared: object | None = None
        self._checked_at = 0.0
        self._lock_timeout: int | None = None
        self.in_a_hurry = False
        """Whether statements wait for locks for IN_A_HURRY_MS only."""

    def prepare(self) -> None:
        """Check the connection now and then, and prepare a new one.

        Checking occasionally is enough, because the next job notices a lost connection (`_try`).
        """
        if time.monotonic() - self._checked_at > CHECK_INTERVAL_S:
            close_old_connections()
            if connection.connection is not None and not connection.is_usable():
                connection.close()
            self._checked_at = time.monotonic()
        if connection.connection is None or connection.connection is not self._prepared:
            connection.ensure_connection()
            self._prepared, self._lock_timeout = connection.connection, None
        usual = LOCK_TIMEOUT_MS[connection.vendor]
        short = self.in_a_hurry and connection.vendor == "postgresql"
        if (timeout := IN_A_HURRY_MS if short else usual) != self._lock_timeout:
            limit_waiting(timeout)
            self._lock_timeout = timeout

    def is_lost(self) -> bool:
        """Whether the last attempt lost the connection. Django may already have opened another."""
        now = connection.connection
        return now is None or now is not self._prepared or not connection.is_usable()


def limit_waiting(milliseconds: int) -> None:
    """Limit how long statements wait for locks, so that another process cannot delay responses."""
    setting = "PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SET lock_timeout"
    with connection.cursor() as cursor:
        cursor.execute(f"{setting} = {milliseconds}")


class _HalfDone(Exception):
    """Raised if a job of the group failed after it may have written something."""


def _run_bare(job: Job[Any], writes: _Writes) -> None:
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


def _run_in_savepoint(job: Job[Any], _writes: _Writes) -> None:
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


_connection = _Connection()
