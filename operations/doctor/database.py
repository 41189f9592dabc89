"""Checks of the database: connection, migrations, durability, free space, integrity and leader."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, F
from django.utils import timezone

from games.models import Heartbeat, Match
from operations.connections import SPARE
from operations.doctor.findings import Finding, error, ok, warning

LITTLE, TOO_LITTLE = 1 << 30, 100 << 20
OLDEST = 14
ALIVE = timedelta(seconds=10)


def connects() -> Iterator[Finding]:
    """Check the connection. Report the kind of database and its version."""
    name = connection.settings_dict["NAME"]
    kind = "SQLite" if _is_sqlite() else "PostgreSQL"
    try:
        version = _asked("SELECT sqlite_version()" if _is_sqlite() else "SHOW server_version")
    except DatabaseError as failed:
        do = "Does it run (systemctl status postgresql), and is DATABASE_URL right?"
        yield error("database", f"{kind} cannot be reached: {str(failed).splitlines()[0]}", do)
        return
    yield ok("database", f"{kind} {version}, {name}.")
    if not _is_sqlite() and int(version.split(".")[0]) < OLDEST:
        do = f"Upgrade PostgreSQL to {OLDEST} or later."
        yield error("database", f"PostgreSQL {version} is too old for this Django.", do)


def private() -> Iterator[Finding]:
    """Check that other users of this machine cannot read the database file."""
    if not _is_sqlite():
        return
    file = Path(str(connection.settings_dict["NAME"]))
    if not file.exists():
        return
    if file.stat().st_mode & 0o004 and file.parent.stat().st_mode & 0o001:
        said = f"Other users of this machine can read {file}."
        yield warning("database", said, f"chmod 700 {file.parent}")


def migrations() -> Iterator[Finding]:
    """Check that the applied migrations match this code."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        do = f"{settings.COMMAND} prepare (the service does this when it starts)."
        yield error("migrations", f"{len(waiting)} have not been applied.", do)
    known = set(executor.loader.disk_migrations)
    ours = {app for app, _ in known}
    newer = [key for key in executor.loader.applied_migrations if key[0] in ours - {None}]
    newer = [key for key in newer if key not in known and not _was_replaced(executor, key)]
    if newer:
        said = f"It has migrations of a later version: {', '.join('.'.join(key) for key in newer)}."
        yield warning("migrations", said, "Fine after going back one version. Upgrade again soon.")
    if not waiting and not newer:
        yield ok("migrations", "All are applied.")


def _was_replaced(executor: MigrationExecutor, key: tuple[str, str]) -> bool:
    return any(key in migration.replaces for migration in executor.loader.disk_migrations.values())


OTHERS_CONNECTIONS = """
    SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'
    AND client_addr IS DISTINCT FROM
        (SELECT client_addr FROM pg_stat_activity WHERE pid = pg_backend_pid())"""
"""Counts the connections that other hosts have open now."""


def connections_suffice() -> Iterator[Finding]:
    """Check that PostgreSQL allows as many connections as the processes may open."""
    if _is_sqlite():
        return
    allowed = int(_asked("SHOW max_connections"))
    allowed -= int(_asked("SHOW superuser_reserved_connections"))
    others = int(_asked(OTHERS_CONNECTIONS))
    yield connections_finding(settings.WORKERS, settings.DATABASE_CONNECTIONS, allowed, others)


def connections_finding(workers: int, each: int, allowed: int, others: int = 0) -> Finding:
    """Judge the number of connections that this host's processes may open.

    `others`: connections of other hosts.
    """
    needed = workers * each + others
    said = f"{workers} processes may open {workers * each} connections"
    said += f", other hosts have {others} open" if others else ""
    said += f", PostgreSQL allows {allowed}."
    if needed <= allowed:
        return ok("connections", said)
    do = f"Set max_connections to {needed + SPARE} or more, or lower DATABASE_CONNECTIONS."
    return warning("connections", said, do)


def durability() -> Iterator[Finding]:
    """Check that commits survive a power cut."""
    about, wrong = "durability", list(_not_durable())
    for name, value, wanted in wrong:
        do = f"Set {name} = {wanted}: with {value}, a power cut loses confirmed moves."
        yield error(about, f"{name} is {value}.", do)
    if not wrong:
        yield ok(about, "Confirmed moves are on disk.")


def _not_durable() -> Iterator[tuple[str, str, str]]:
    if _is_sqlite():
        if (mode := _asked("PRAGMA journal_mode")) != "wal":
            yield "journal_mode", mode, "WAL"
        if int(level := _asked("PRAGMA synchronous")) < 2:
            yield "synchronous", level, "FULL"
        return
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        if (value := _asked(f"SHOW {name}")) == "off":
            yield name, value, "on"


def free_space() -> Iterator[Finding]:
    """Check the free disk space. For PostgreSQL, also report the size of the database.

    For SQLite, the disk is the one with the database file. Otherwise it is that of the current
    folder.
    """
    if not _is_sqlite():
        size = _asked("SELECT pg_size_pretty(pg_database_size(current_database()))")
        yield ok("free space", f"The size of the database is {size}.")
    folder = Path(str(connection.settings_dict["NAME"])).parent if _is_sqlite() else Path.cwd()
    yield space_finding(shutil.disk_usage(folder).free, folder)


def space_finding(free: int, folder: Path) -> Finding:
    """Judge the free space of a folder's disk, in bytes."""
    said, do = f"{free / (1 << 30):.1f} GiB are free at {folder}.", "Free some space."
    if free < TOO_LITTLE:
        return error("free space", said, do)
    return warning("free space", said, do) if free < LITTLE else ok("free space", said)


def integrity() -> Iterator[Finding]:
    """Check the integrity of the database, and that the logs of running matches have no gaps."""
    if _is_sqlite() and (said := _asked("PRAGMA quick_check(1)")) != "ok":
        do = "Stop the server; restore the last backup (docs/operate.md)."
        yield error("integrity", f"The database is damaged: {said}", do)
        return
    running = Match.objects.filter(ended_at=None)
    gaps = running.annotate(found=Count("acts")).exclude(found=F("version"))
    if numbers := [str(number) for number in gaps.values_list("pk", flat=True)[:10]]:
        do = "Do not edit games_act; restore the last backup, or end these matches."
        yield error("integrity", f"The log of match {', '.join(numbers)} has gaps.", do)
    else:
        yield ok("integrity", f"Intact, as are the logs of {running.count()} running matches.")


def leader() -> Iterator[Finding]:
    """Check that a server is running on this database, and that one process is the leader."""
    heartbeat = Heartbeat.objects.filter(pk=1).first()
    do = "systemctl status 'parlour@*'; does the server use the same settings as this command?"
    if heartbeat is None:
        yield error("server", "No server has ever run on this database.", do)
        return
    age = timezone.now() - heartbeat.at
    if age > ALIVE:
        said = f"No server has worked on this database since {heartbeat.at:%Y-%m-%d %H:%M} UTC."
        yield error("server", said, do)
    elif age < -ALIVE:
        yield error("clock", "The server's clock is ahead of this one.", "Use NTP on both.")
    elif not heartbeat.leader:
        yield warning("server", "No process leads at the moment.", "Check again in ten seconds.")
    else:
        yield ok("server", f"It is running, and process {heartbeat.leader} leads.")


def _is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def _asked(query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])
