"""Resources that the first worker creates for all others: a database, a prepared server."""

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
    """Create the folder that the workers of this run share. It is deleted with this process.

    A run that was started by a test shares the folder of the outer run.
    """
    if FOLDER in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="parlour-tests-")
    os.environ[FOLDER] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


class Once:
    """A file or folder of this name, built by one process while the others wait."""

    def __init__(self, name: str) -> None:
        begin()
        self.path = Path(os.environ[FOLDER]) / name
        self._lock = FileLock(f"{self.path}.lock")

    def is_made(self) -> bool:
        """Return whether it exists. If not, build it and then call `made`."""
        self._lock.acquire()
        if self.path.exists():
            self._lock.release()
            return True
        return False

    def made(self, unfinished: Path) -> None:
        """Publish the finished result."""
        unfinished.rename(self.path)
        self._lock.release()


class MigratedDatabase:
    """A worker's SQLite database, copied from the first database that was migrated."""

    def __init__(self) -> None:
        self._once: Once | None = None

    def copy(self) -> bool:
        """Start from a copy. Return False if this worker must migrate and then call `keep`."""
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
        """Save the migrated database for the other workers."""
        if self._once is not None:
            unfinished = self._once.path.with_suffix(".new")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])
            self._once.made(unfinished)
