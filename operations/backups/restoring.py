"""Restore a backup into an empty database of either kind."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from accounts.models import User
from games.models import Heartbeat, Room, opened_by_people
from operations.backups import archive, postgres, rows
from operations.backups.archive import Manifest

ALIVE = timedelta(seconds=10)
COPY = "backup"


class Refused(Exception):
    """Nothing was restored. The message says why."""


def must_be_empty() -> None:
    """Raise Refused if data would be lost, or if a server is running on the database."""
    file = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor == "sqlite" and not file.exists():
        if (left := file.with_name(f"{file.name}-wal")).exists():
            raise Refused(f"{left} belongs to the database that was moved away: move it, too.")
        return
    tables = connection.introspection.table_names()
    if User._meta.db_table not in tables:
        if tables:
            raise Refused("The database belongs to another application. Use an empty one.")
        return
    heartbeat = Heartbeat.objects.filter(pk=1).first()
    if heartbeat is not None and timezone.now() - heartbeat.at < ALIVE and heartbeat.leader:
        stop = "sudo systemctl stop parlour.target 'parlour@*'"
        raise Refused(f"A server is using this database. Stop it: {stop}")
    if User.objects.exists() or Room.objects.filter(opened_by_people()).exists():
        raise Refused(
            "This database has people or tables in it, and is never overwritten. Restore into an"
            " empty one: set DATABASE_URL, or move the old database away first."
        )


def must_be_known(manifest: Manifest) -> None:
    """Raise Refused if the backup is from a later version than this code, or from before 0.1.0."""
    migrations = MigrationLoader(None).disk_migrations
    for one in migrations.values():
        if 0 < len(manifest.applied.intersection(one.replaces)) < len(one.replaces):
            raise Refused("The backup is from before version 0.1.0, and cannot be migrated.")
    known = {*migrations, *(key for one in migrations.values() for key in one.replaces)}
    apps = {app for app, _ in known}
    later = [name for app, name in manifest.applied if app in apps and (app, name) not in known]
    if later:
        raise Refused(
            f"The backup is from a later version ({later[0]}). Install that version first."
        )


def restore(manifest: Manifest, folder: Path) -> None:
    """Restore the database from an unpacked backup, and migrate it."""
    if manifest.kind == connection.vendor == "sqlite":
        _put_file(folder / archive.SQLITE)
    elif manifest.kind == connection.vendor:
        postgres.load(folder / archive.POSTGRES)
    elif manifest.kind == "sqlite":
        _from_sqlite(folder / archive.SQLITE)
    else:
        _from_rows(manifest, folder / archive.ROWS)
    _migrate()


def _put_file(copy: Path) -> None:
    """Put a copy of a SQLite database in place of the empty one, atomically."""
    target = Path(connection.settings_dict["NAME"])
    connection.close()
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in ("-wal", "-shm"):
        target.with_name(target.name + leftover).unlink(missing_ok=True)
    beside = target.with_name(f".{target.name}.new")
    shutil.copyfile(copy, beside)
    beside.chmod(0o600)
    os.replace(beside, target)


def _from_sqlite(copy: Path) -> None:
    """Copy all rows of a SQLite backup into an empty PostgreSQL database.

    First migrate the copy, so that both databases have the same tables.
    """
    used = {**connection.settings_dict, "ENGINE": "django.db.backends.sqlite3", "NAME": str(copy)}
    connections.settings[COPY] = {**used, "OPTIONS": {}}
    try:
        _migrate(COPY)
        _migrate()
        rows.replace_all(rows.of_database(COPY))
    finally:
        connections[COPY].close()
        del connections.settings[COPY]


def _from_rows(manifest: Manifest, source: Path) -> None:
    applied = manifest.applied
    for key, migration in MigrationLoader(None).disk_migrations.items():
        if key in applied or (migration.replaces and applied.issuperset(migration.replaces)):
            continue
        raise Refused(
            "The backup is from an earlier version with PostgreSQL. Restore it into PostgreSQL"
            " first, which migrates it, and take another backup there."
        )
    _migrate()
    rows.replace_all(rows.read(source))


def _migrate(database: str = "default") -> None:
    call_command("migrate", database=database, verbosity=0, interactive=False)
