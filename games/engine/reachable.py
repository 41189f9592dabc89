"""Whether the database can be read. If it cannot, pages respond with status 503 at once.

Failed writes are handled separately (`games.engine.storage`), because a database on a full disk can
still be read.
"""

from __future__ import annotations

import logging
import threading
import time

from django.db import DatabaseError, connection

from games.engine import figures
from games.engine.storage import is_fault, is_locked, storage

log = logging.getLogger(__name__)

REST = 6.0
"""Seconds until a page retries after a failed read. The heartbeat reads more often."""
SILENCE = 10.0
"""Seconds without a read by the heartbeat after which the database counts as frozen."""


class ReadState:
    """Whether this process can read from its database. Thread-safe."""

    def __init__(self) -> None:
        self._trying = threading.Lock()
        self._failed_at: float | None = None
        self._heard_at: float | None = None

    def succeeded(self) -> None:
        """Record a successful read."""
        if self._failed_at is not None:
            log.warning("the database is readable again")
        self._failed_at = None
        if self._heard_at is not None:
            self._heard_at = time.monotonic()

    def failed(self, error: BaseException) -> bool:
        """Record a failed read. Return False if the error is not a storage fault."""
        if is_locked(error):  # only this request failed to get a lock
            return True
        if not is_fault(error):
            return False
        self._failed_at = time.monotonic()
        figures.storage_faults.labels("read").inc()
        fault = f"{type(error).__name__}: {error}".splitlines()[0]
        if storage.is_new(fault):
            log.error("the database cannot be read, pages return 503: %s", fault)
        return True

    def watch(self) -> None:
        """Expect a read every few seconds from now on."""
        self._heard_at = time.monotonic()

    def unwatch(self) -> None:
        """Expect no reads until `watch` is called again."""
        self._heard_at = None

    def is_down(self) -> bool:
        """Whether the last read failed, or an expected one is overdue. Never blocks."""
        return self._is_silent() or self._failed_at is not None

    def _is_silent(self) -> bool:
        heard = self._heard_at
        return heard is not None and time.monotonic() - heard > SILENCE

    def can_read(self) -> bool:
        """Return whether a page may be served. REST seconds after a failure, one caller at a time
        tries again.

        A frozen database is never tried: the attempt would hang as long as the database does.
        """
        if self._is_silent():
            return False
        failed = self._failed_at
        if failed is None:
            return True
        if time.monotonic() - failed < REST:
            return False
        if not self._trying.acquire(blocking=False):
            return False
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError as error:
            self.failed(error)
            return False
        finally:
            self._trying.release()
        self.succeeded()
        return True


reading = ReadState()
