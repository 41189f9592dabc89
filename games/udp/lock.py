"""Which process owns the UDP port: the one that holds this lock; when it dies, another."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from django.db import connection
from filelock import FileLock, Timeout

KEY = 0x6D696100
"""The number of the advisory lock in PostgreSQL ("mia")."""


class Lock(Protocol):
    """Held by one process of all that share a database."""

    def acquire(self) -> bool:
        """Take the lock where nobody has it."""

    def held(self) -> bool:
        """Whether it is still ours; a lost connection to the database loses it."""

    def release(self) -> None:
        """Give it back."""


def lock() -> Lock:
    """The lock of the database in use."""
    if connection.vendor == "postgresql":
        return _Advisory()
    return _File(Path(str(connection.settings_dict["NAME"])))


class _File:
    """For SQLite, whose users share a machine: a lock on a file beside the database."""

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
    """For PostgreSQL: an advisory lock on a connection of its own."""

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
