"""Prepares the database and the static files. A server may be running at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from filelock import FileLock, Timeout

from games.engine.storage import is_deadlock, without_time_limits
from games.runtime import static_files

PATIENCE = 300.0
"""Maximum seconds to wait for another process that is migrating the same database."""
TRIES = 20
"""Maximum attempts of a migration that deadlocks with a running server. PostgreSQL takes a second
to detect a deadlock."""
KEY = 0x70726570
"""Key of the advisory lock in PostgreSQL ("prep" in ASCII)."""


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Migrates the database and collects the static files, one process at a time."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with _alone():
                _migrate(self.stderr.write)
            static_files.collect()
        except Timeout:
            raise CommandError(
                "Another process has been preparing for minutes. Try again."
            ) from None


def _migrate(said: Callable[[str], object]) -> None:
    """Run the migrations. Retry one that deadlocks with a running server and is rolled back."""
    for left in reversed(range(TRIES)):
        try:
            call_command("migrate", verbosity=0, interactive=False)
            return
        except OperationalError as error:
            if not left or not is_deadlock(error):
                raise
            said("The running server blocks a migration. Trying again.")


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other processes from migrating this database.

    Raise filelock.Timeout if the lock stays taken.
    """
    if connection.vendor == "postgresql":
        without_time_limits()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [KEY])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [KEY])
        return
    database = Path(str(connection.settings_dict["NAME"]))
    with FileLock(database.with_name(f"{database.name}.prepare-lock"), timeout=PATIENCE):
        yield
