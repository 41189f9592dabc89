"""A worker thread with a bounded queue, for slow work such as hashing and mail."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

RETRY_AFTER = 2
"""Seconds after which the client should try again."""


class Busy(Exception):
    """The queue is full. Pages return status 503."""


class Line:
    """One worker and its queue. Jobs submitted by the worker itself run at once.

    `most` returns the maximum number of unfinished jobs. It is called for every submission.
    """

    def __init__(self, name: str, most: Callable[[], int]) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._waiting = 0
        self._here = threading.local()
        self._worker = ThreadPoolExecutor(1, name, initializer=self._note_worker)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Queue `work` and return its future at once. Raise Busy if the queue is full."""
        with self._lock:
            if self._waiting >= self._most():
                raise Busy
            self._waiting += 1
        future = self._worker.submit(work)
        future.add_done_callback(self._done)
        return future

    def run(self, work: Callable[[], T]) -> T:
        """Run `work` when its turn comes and return its result. Raise Busy if the queue is full."""
        if getattr(self._here, "is_worker", False):
            return work()
        return self.submit(work).result()

    def waiting(self) -> int:
        """Number of unfinished jobs."""
        return self._waiting

    def _note_worker(self) -> None:
        self._here.is_worker = True

    def _done(self, future: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1
