"""The lock of the process that owns the UDP port.

If that process dies, another can take the lock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from django.db import connection
from filelock import FileLock, Timeout

KEY = 0x6D696100
"""Key of the advisory lock in PostgreSQL ("mia" in ASCII)."""


class Lock(Protocol):
    """A lock that only one of the processes with the same database can hold."""

    def acquire(self) -> bool:
        """Take the lock if it is free. Return whether this process holds it."""

    def held(self) -> bool:
        """Return whether this process still holds the lock.

        It is lost with the connection to the database.
        """

    def release(self) -> None:
        """Release the lock."""


def lock() -> Lock:
    """Return a lock for the database in use."""
    if connection.vendor == "postgresql":
        return _Advisory()
    return _File(Path(str(connection.settings_dict["NAME"])))


class _File:
    """Lock for SQLite: a lock on a file next to the database.

    All processes are on the same machine.
    """

    def __init__(self, database: Path) -> None:
        self._lock = FileLock(database.with_name(f"{database.name}.udp-lock"), thread_local=False)

    def acquire(self) -> bool:
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        return True

    def held(self) -> bool:
        return bool(self._lock.is_locked)

    def release(self) -> None:
        self._lock.release()


class _Advisory:
    """Lock for PostgreSQL: an advisory lock on a separate connection."""

    def __init__(self) -> None:
        self._connection: Any = None

    def acquire(self) -> bool:
        if self._connection is None:
            self._connection = connection.copy()
            self._connection.inc_thread_sharing()
        if self._ask("SELECT pg_try_advisory_lock(%s)", KEY):
            return True
        self.release()
        return False

    def held(self) -> bool:
        return self._connection is not None and bool(self._ask("SELECT 1"))

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, query: str, *values: int) -> Any:
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(query, values)
                return cursor.fetchone()[0]
        except Exception:
            self._connection.close()
            return None
