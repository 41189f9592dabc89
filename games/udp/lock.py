"""The lock of the process that owns the UDP port.

If that process dies, or its machine vanishes, another can take the lock.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from django.db import DatabaseError, connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from filelock import FileLock, Timeout

from games.models import Heartbeat

LEASE = timedelta(seconds=6)
"""Time after which others may take the lock if its holder has not asked for it (`held`)."""


class Lock(Protocol):
    """A lock that only one of the processes with the same database can hold."""

    def acquire(self) -> bool:
        """Take the lock if it is free. Return whether this process holds it."""

    def held(self) -> bool:
        """Return whether this process still holds the lock. Ask every few seconds."""

    def release(self) -> None:
        """Release the lock."""


def lock() -> Lock:
    """Return a lock for the database in use."""
    if connection.vendor == "postgresql":
        return _Lease()
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


class _Lease:
    """Lock for PostgreSQL: a row that names the holder, and the time at which he last asked.

    The database compares the times, so the clocks of the hosts do not matter. An advisory lock
    would stay with the session of a vanished host until TCP gives up its connection.
    """

    def __init__(self) -> None:
        self._name = secrets.token_hex(8)

    def acquire(self) -> bool:
        row = Heartbeat.objects.filter(pk=Heartbeat.UDP)
        free = Q(leader__in=("", self._name)) | Q(at__lt=Now() - LEASE)
        try:
            Heartbeat.objects.get_or_create(pk=Heartbeat.UDP, defaults={"leader": "", "at": Now()})
            return bool(row.filter(free).update(leader=self._name, at=Now()))
        except DatabaseError:
            return False

    def held(self) -> bool:
        try:
            return bool(self._mine().update(at=Now()))
        except DatabaseError:
            return False

    def release(self) -> None:
        with suppress(DatabaseError):  # the lease will end by itself
            self._mine().update(leader="")

    def _mine(self) -> QuerySet[Heartbeat]:
        return Heartbeat.objects.filter(pk=Heartbeat.UDP, leader=self._name)
