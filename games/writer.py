"""The one thread of this process that writes rooms, matches, chat and decks.

Jobs that wait are committed together, each in a savepoint of its own: full durability for the price
of one sync. A job's future is resolved after the commit, never before.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import (
    DatabaseError,
    IntegrityError,
    close_old_connections,
    connection,
    transaction,
)

from games.rules.core import Ignored, Refused
from games.wire import BadPacket

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

MOST_WAITING = 2000
MOST_TOGETHER = 64
TRIES = 3


class Pending(Future[R]):
    """A future that can be awaited as well as waited for.

    It cannot be cancelled: who stops waiting does not stop what has been asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.set_running_or_notify_cancel()

    def __await__(self) -> Generator[Any, None, R]:
        return asyncio.wrap_future(self).__await__()


class Conflict(Exception):
    """Somebody else has written in between: look again and do it over."""


@dataclass
class _Job(Generic[R]):
    run: Callable[[], R]
    pending: Pending[R] = field(default_factory=Pending)
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.error is not None:
            self.pending.set_exception(self.error)
        else:
            self.pending.set_result(self.result)


def door(function: Callable[P, R]) -> Callable[P, Pending[R]]:
    """Makes a function run in the writer's thread, in a transaction; callers get a Pending.

    Await it, or call `.result()` where there is no event loop. Ignored and Refused come out as they
    are raised; a full queue is Refused("busy").
    """

    @wraps(function)
    def enter(*args: P.args, **kwargs: P.kwargs) -> Pending[R]:
        return _writer.submit(lambda: function(*args, **kwargs))

    return enter


class _Writer:
    def __init__(self) -> None:
        self._jobs: queue.Queue[_Job[Any]] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, run: Callable[[], R]) -> Pending[R]:
        self._ensure_running()
        job = _Job(run)
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            job.pending.set_exception(Refused("busy"))
        return job.pending

    def _ensure_running(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._loop, name="writer", daemon=True)
                self._thread.start()

    def _loop(self) -> None:
        while True:
            group = [self._jobs.get()]
            while len(group) < MOST_TOGETHER and not self._jobs.empty():
                group.append(self._jobs.get_nowait())
            close_old_connections()
            _commit(group)


def _commit(group: list[_Job[Any]]) -> None:
    """Runs and commits a group; where the commit itself fails, one by one."""
    try:
        with transaction.atomic():
            for job in group:
                _run(job)
    except Exception as error:
        if len(group) > 1:
            for job in group:
                _commit([job])
            return
        log.exception("a write failed")
        group[0].error = Refused("busy") if isinstance(error, DatabaseError) else error
        if isinstance(error, DatabaseError):
            connection.close()
    for job in group:
        job.settle()


def _run(job: _Job[Any]) -> None:
    """One job in a savepoint; a conflict is tried again, what the rules answer is a result."""
    job.error = None
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                job.result = job.run()
                return
        except (Conflict, IntegrityError):
            continue
        except (Refused, Ignored, BadPacket) as answer:
            job.error = answer
            return
        except DatabaseError:
            raise
        except Exception as error:
            log.exception("a door failed")
            job.error = error
            return
    job.error = Refused("busy")


_writer = _Writer()
