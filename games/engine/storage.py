"""Storage faults: detecting them, increasing the delay between retries, and logging at most one
line per minute.

It is also a fault if the database file or its `-wal` is deleted or replaced while the server runs.
SQLite would keep writing to the unlinked file.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    connections,
)

from games.engine import figures

log = logging.getLogger(__name__)

FIRST_REST, LONGEST_REST = 0.25, 4.0
SAID_AGAIN = 60.0
DEADLOCK = ("40001", "40P01")
"""PostgreSQL's states for serialization failures and deadlocks."""
ROW_LOCKED = "55P03"
"""PostgreSQL's state for a row that another session has locked for too long."""
ANOTHERS_TURN = (*DEADLOCK, ROW_LOCKED)
"""PostgreSQL's states for conflicts with another transaction. It is enough to retry."""
READ_ONLY = ("25006",)
"""PostgreSQL's state for a read-only database: a standby, a full disk."""

Identity = tuple[int, int] | None


class FileReplaced(OperationalError):
    """Raised if the opened file was deleted, or replaced by another of the same name."""


def is_deadlock(error: BaseException | None) -> bool:
    """Whether the error is a deadlock of two processes. The failed job can be retried at once."""
    return _state(error) in DEADLOCK


def is_row_locked(error: BaseException | None) -> bool:
    """Whether another session has locked a row for too long. Other rows can be written."""
    return _state(error) == ROW_LOCKED


def _state(error: BaseException | None) -> str | None:
    return getattr(getattr(error, "__cause__", None), "sqlstate", None)


def is_fault(error: BaseException | None) -> bool:
    """Whether the storage failed, rather than just the statement."""
    state = _state(error)
    if isinstance(error, OperationalError | InterfaceError):
        return state not in ANOTHERS_TURN
    if isinstance(error, InternalError):
        return state in READ_ONLY
    # Whether SQLite reports a damaged file or one that is not a database.
    return type(error) is DatabaseError and type(error.__cause__) is sqlite3.DatabaseError


def is_locked(error: BaseException | None) -> bool:
    """Whether another writer held a lock for too long, so that only this write failed."""
    cause = getattr(error, "__cause__", None)
    busy = getattr(cause, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )
    return busy or _state(error) in ANOTHERS_TURN


class Storage:
    """State of the storage, as seen by this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, Identity] = {}
        self._said: dict[str, float] = {}
        self._rest, self._until = 0.0, 0.0
        self._here = threading.local()
        self._wal_lost = False
        self.fault = ""

    def failed(self, error: BaseException) -> None:
        """Record a failed write. The delay before the next try doubles each time."""
        self.fault = f"{type(error).__name__}: {error}".splitlines()[0]
        self._rest = min(LONGEST_REST, self._rest * 2 or FIRST_REST)
        self._until = time.monotonic() + self._rest
        figures.storage_faults.labels("write").inc()
        if self.is_new(self.fault):
            log.error("the database cannot be written, all changes are refused: %s", self.fault)

    def hangs(self) -> None:
        """Record that a write hangs. Nothing else can be stored until it finishes."""
        self.fault = "TimeoutError: a write hangs"
        figures.storage_faults.labels("write").inc()
        if self.is_new(self.fault):
            log.error("the writer is blocked, all changes are refused: %s", self.fault)

    def works(self) -> None:
        """Record a successful write."""
        if self.fault:
            log.warning("the database is writable again")
            self._said.clear()
        self.fault, self._rest, self._until = "", 0.0, 0.0

    def is_resting(self) -> bool:
        """Whether it is too early to retry writing."""
        return time.monotonic() < self._until

    def is_new(self, fault: str) -> bool:
        """Whether to log this fault: at most once a minute."""
        now = time.monotonic()
        with self._lock:
            is_new = now - self._said.get(fault, -SAID_AGAIN) >= SAID_AGAIN
            if is_new:
                recent = {said: at for said, at in self._said.items() if now - at < SAID_AGAIN}
                self._said = {**recent, fault: now}
        return is_new

    def note_file(self, path: str) -> None:
        """Remember which file was first opened at this path."""
        if found := _identity(path):
            self._opened.setdefault(path, found)

    def note_wal(self, path: str) -> None:
        """Remember which `-wal` file this thread's connection writes to."""
        self._here.wal = _identity(f"{path}-wal")

    def check(self, path: str) -> None:
        """Raise FileReplaced if the opened file was deleted or replaced, or if this thread's
        connection writes to a deleted `-wal`.

        Operators delete a `-wal` by hand because it looks like a leftover. Afterwards the
        connections of this process no longer see each other's writes, and only a restart helps.
        """
        opened = self._opened.get(path)
        if opened is not None and _identity(path) != opened:
            raise FileReplaced(
                "the database file was deleted or replaced while the server ran; put it back,"
                " or restart the server to go on with the one that is there"
            )
        if getattr(self._here, "wal", None) is None:
            self.note_wal(path)  # a new database has no `-wal` before its first transaction
        self._wal_lost = self._wal_lost or _identity(f"{path}-wal") != self._here.wal
        if self._wal_lost:
            raise FileReplaced(
                "the -wal file beside the database was deleted while the server ran, and with it"
                " what was stored last; restart the server"
            )


storage = Storage()


_files: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The database file of each connection, or "" if it has none."""


def check() -> None:
    """Raise FileReplaced if the path of the open database now leads to another file, or to none."""
    found = connections[DEFAULT_DB_ALIAS]
    if (path := _files.get(found)) is None:
        path = _files[found] = _file_of(found) or ""
    if path:
        storage.check(path)


def without_time_limits() -> None:
    """Let this session of PostgreSQL wait for locks, and keep transactions open, without limits.

    For commands that take long. `config.settings` limits all sessions.
    """
    found = connections[DEFAULT_DB_ALIAS]
    if found.vendor == "postgresql":
        with found.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SET idle_in_transaction_session_timeout = 0")


def note_connection(sender: Any, connection: Any, **_: Any) -> None:
    """Remember the files of a new SQLite connection (Django's signal `connection_created`).

    Let nobody but their owner read them.
    """
    if path := _file_of(connection):
        for file in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(OSError):  # another account owns it, or it does not exist
                if os.stat(file).st_mode & 0o077:
                    os.chmod(file, 0o600)
        storage.note_file(path)
        storage.note_wal(path)


def _file_of(of: Any) -> str | None:
    """Return the path of the database file.

    Return None if the database is not SQLite, or is in memory.
    """
    if of.vendor != "sqlite" or of.is_in_memory_db():
        return None
    return str(of.settings_dict["NAME"])


def _identity(path: str) -> Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
