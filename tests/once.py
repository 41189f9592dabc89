"""What all workers of a run need and the first of them makes: a migrated database, a house."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from django.conf import settings
from django.db import connection
from filelock import FileLock

FOLDER = "PARLOUR_TESTS_FOLDER"


def begin() -> None:
    """Make the folder that all workers of this run share; it goes with this process.

    A run that a test starts shares that of its own run.
    """
    if FOLDER in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="parlour-tests-")
    os.environ[FOLDER] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


class Once:
    """A file or folder of this name, made by one process while the others wait for it."""

    def __init__(self, name: str) -> None:
        begin()
        self.path = Path(os.environ[FOLDER]) / name
        self._lock = FileLock(f"{self.path}.lock")

    def is_made(self) -> bool:
        """Whether it is there; where it is not, make it and then call `made`."""
        self._lock.acquire()
        if self.path.exists():
            self._lock.release()
            return True
        return False

    def made(self, unfinished: Path) -> None:
        """What is there from now on."""
        unfinished.rename(self.path)
        self._lock.release()


class MigratedDatabase:
    """The database of a worker (SQLite): a copy of the one that was migrated first."""

    def __init__(self) -> None:
        self._once: Once | None = None

    def copy(self) -> bool:
        """Begin with a copy; False where this worker has to migrate, and then to `keep`."""
        database = settings.DATABASES["default"]
        if database["ENGINE"] != "django.db.backends.sqlite3":
            return False
        once = Once("migrated.sqlite3")
        if once.is_made():
            shutil.copy(once.path, database["TEST"]["NAME"])
            return True
        self._once = once
        return False

    def keep(self) -> None:
        """Keep what has been migrated for the others."""
        if self._once is not None:
            unfinished = self._once.path.with_suffix(".new")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])
            self._once.made(unfinished)
