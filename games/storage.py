"""Whether the storage keeps what is written: known faults, rests between tries, one line a minute.

A database file that was deleted or replaced under the server is a fault, too: SQLite would go on
writing into a file that nobody finds again.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import Any

from django.db import InterfaceError, OperationalError, connection

log = logging.getLogger(__name__)

FIRST_REST, LONGEST_REST = 0.25, 4.0
SAID_AGAIN = 60.0
ANOTHERS_TURN = ("40001", "40P01", "55P03")
"""PostgreSQL's states for: somebody else has the row. Trying again is all it takes."""

Identity = tuple[int, int] | None


class FileReplaced(OperationalError):
    """The file that was opened is not the file of that name any more."""


def is_fault(error: BaseException | None) -> bool:
    """Whether it is the storage that fails, and not what was asked of it."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return getattr(error.__cause__, "sqlstate", None) not in ANOTHERS_TURN


class Storage:
    """What this process knows of its storage."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, Identity] = {}
        self._said: dict[str, float] = {}
        self._rest, self._until = 0.0, 0.0
        self.fault = ""

    def failed(self, error: BaseException) -> None:
        """A write has failed: the next is tried after a rest that doubles each time."""
        self.fault = f"{type(error).__name__}: {error}".splitlines()[0]
        self._rest = min(LONGEST_REST, self._rest * 2 or FIRST_REST)
        self._until = time.monotonic() + self._rest
        if self.is_news(self.fault):
            log.error("nothing can be stored, every change is refused: %s", self.fault)

    def works(self) -> None:
        """A write went through."""
        if self.fault:
            log.warning("changes are stored again")
            self._said.clear()
        self.fault, self._rest, self._until = "", 0.0, 0.0

    def is_resting(self) -> bool:
        """Whether it is too early to try again."""
        return time.monotonic() < self._until

    def is_news(self, fault: str) -> bool:
        """Whether this has not been said within the minute."""
        now = time.monotonic()
        with self._lock:
            news = now - self._said.get(fault, -SAID_AGAIN) >= SAID_AGAIN
            if news:
                self._said[fault] = now
        return news

    def note_file(self, path: str) -> None:
        """Remembers which file was opened first under this name."""
        if found := _identity(path):
            self._opened.setdefault(path, found)

    def check_file(self, path: str) -> None:
        """Raises FileReplaced where there is another file of this name by now, or none."""
        opened = self._opened.get(path)
        if opened is not None and _identity(path) != opened:
            raise FileReplaced(
                "the database file was deleted or replaced while the server ran; put it back,"
                " or restart the server to go on with the one that is there"
            )


storage = Storage()


def check() -> None:
    """Raises FileReplaced where the open database is not the one that would be found again."""
    if path := _file_of(connection):
        storage.check_file(path)


def note_connection(sender: Any, connection: Any, **_: Any) -> None:
    """Receives Django's signal that a connection was made."""
    if path := _file_of(connection):
        storage.note_file(path)


def _file_of(of: Any) -> str | None:
    """The database file; None where the database is none, or is in memory."""
    if of.vendor != "sqlite" or of.is_in_memory_db():
        return None
    return str(of.settings_dict["NAME"])


def _identity(path: str) -> Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
