"""Take a consistent backup while the server runs."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from accounts.models import User
from games.engine.storage import without_time_limits
from games.models import Match
from operations.backups import archive, postgres, rows
from operations.backups.archive import Manifest

NAME = "parlour-{:%Y%m%d-%H%M%S}.backup"
PATTERN = "parlour-????????-??????.backup"
WORK_FOLDER = ".parlour-backup-"
ABANDONED_AFTER = 24 * 3600.0
"""Seconds after which a work folder is assumed to be left over from a killed backup."""


def take(target: Path) -> Manifest:
    """Write a backup to this file. Raise postgres.Failed or OSError if that fails."""
    clear_abandoned(target.parent)
    with tempfile.TemporaryDirectory(prefix=WORK_FOLDER, dir=target.parent) as name:
        folder = Path(name)
        key = folder / archive.KEY
        key.touch(0o600)
        key.write_text(settings.SECRET_KEY)
        manifest = _sqlite(folder) if connection.vendor == "sqlite" else _postgres(folder)
        archive.pack(folder, manifest, target)
    return manifest


def new_name() -> str:
    """Return the name of a backup taken now."""
    return NAME.format(timezone.now())


def remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest `keep` backups in a folder. Return the removed ones."""
    old = sorted(folder.glob(PATTERN))[:-keep]
    for path in old:
        path.unlink()
    return old


def clear_abandoned(folder: Path) -> None:
    """Remove work folders of killed backups, because they contain copies of all data."""
    for left in folder.glob(f"{WORK_FOLDER}*"):
        if time.time() - left.stat().st_mtime > ABANDONED_AFTER:
            shutil.rmtree(left, ignore_errors=True)


def _sqlite(folder: Path) -> Manifest:
    """Copy the SQLite database with its online backup, during which others can read and write."""
    target = folder / archive.SQLITE
    source = sqlite3.connect(f"file:{connection.settings_dict['NAME']}?mode=rw", uri=True)
    with closing(source), closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        if (said := copy.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
            raise postgres.Failed(f"the database is damaged: {said}")
        return _manifest_of_copy(copy)


def _manifest_of_copy(copy: sqlite3.Connection) -> Manifest:
    def one(query: str) -> int:
        return int(copy.execute(query).fetchone()[0])

    migrations = copy.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    return Manifest(
        made=_now(),
        kind="sqlite",
        migrations=[list(pair) for pair in migrations],
        people=one(f"SELECT count(*) FROM {User._meta.db_table}"),
        running=one(f"SELECT count(*) FROM {Match._meta.db_table} WHERE ended_at IS NULL"),
    )


def _postgres(folder: Path) -> Manifest:
    """Write the output of pg_dump, and the rows as JSON, from the same snapshot."""
    without_time_limits()  # the transaction is idle while pg_dump runs
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        postgres.dump(folder / archive.POSTGRES, str(cursor.fetchone()[0]))
        rows.write(folder / archive.ROWS)
        applied = MigrationRecorder(connection).applied_migrations()
        return Manifest(
            made=_now(),
            kind="postgresql",
            migrations=[list(pair) for pair in applied],
            people=User.objects.count(),
            running=Match.objects.filter(ended_at=None).count(),
        )


def _now() -> str:
    now: datetime = timezone.now()
    return now.isoformat(timespec="seconds")
