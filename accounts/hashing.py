"""Password hashing: slow on purpose, so one thread does all of it, and a rush is turned away early.

It stands below Django's hashers: anyone who checks or makes a password of any kind comes by here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher

T = TypeVar("T")

MOST_WAITING = 20
"""So many may wait for theirs, a second or two at the most. Read at every call."""
RETRY_AFTER = 2
"""After so many seconds it is worth trying again."""


class Busy(Exception):
    """Too many passwords are waiting to be hashed. Pages answer it with status 503."""


class _Queue:
    """One worker and its waiting line. Work that asks for more work runs it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = 0
        self._here = threading.local()
        self._worker = ThreadPoolExecutor(1, "hashing", initializer=self._note_worker)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Run `work` when its turn comes. Raise Busy."""
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise Busy
            self._waiting += 1
        future = self._worker.submit(work)
        future.add_done_callback(self._done)
        return future

    def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, when its turn has come. Raise Busy."""
        if getattr(self._here, "is_worker", False):
            return work()
        return self.submit(work).result()

    def waiting(self) -> int:
        """How many have not had their turn."""
        return self._waiting

    def _note_worker(self) -> None:
        self._here.is_worker = True

    def _done(self, future: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1


_queue = _Queue()
submit = _queue.submit
run = _queue.run
waiting = _queue.waiting


class _InTurn:
    """Makes a hasher wait for its turn."""

    def encode(self, *args: Any) -> Any:
        return run(partial(super().encode, *args))  # type: ignore[misc]

    def verify(self, *args: Any) -> Any:
        return run(partial(super().verify, *args))  # type: ignore[misc]


class Argon2Hasher(_InTurn, Argon2PasswordHasher):
    """Argon2id with the least memory that is advised (docs/decisions/0036)."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1


class Pbkdf2Hasher(_InTurn, PBKDF2PasswordHasher):
    """For passwords that came from elsewhere; they become Argon2 at the next login."""
