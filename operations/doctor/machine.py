"""Checks of the machine: versions, open files, clock, static files and backups."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.runtime.static_files import MANIFEST
from operations.backups.taking import PATTERN
from operations.doctor.findings import Finding, error, ok, warning

FILES = 4096
"""Minimum limit of open files.

Each open page uses one, and 1,000 users have two or three pages each.
"""
STALE = 2 * 86400.0
SKEW, MUCH_SKEW = 0.5, 10.0


def versions() -> Iterator[Finding]:
    """Check that the installed packages have the versions this code was tested with."""
    lock = Path(settings.BASE_DIR) / "requirements.lock"
    if not lock.exists():
        yield ok("versions", f"{_ours()}.")
        return
    pinned = re.findall(r"^([-\w.]+)==([^\s;\\]+)([^\\\n]*)", lock.read_text(), re.M)
    other = [name for name, wanted, only in pinned if not only.strip() and _is_other(name, wanted)]
    if other:
        do = f"Install the locked packages: pip install --require-hashes -r {lock}"
        yield warning(
            "versions", f"Packages that differ from requirements.lock: {', '.join(other)}.", do
        )
    else:
        yield ok("versions", f"{_ours()}, all packages as in requirements.lock.")


def _ours() -> str:
    return f"Parlour {settings.VERSION}, Python {platform.python_version()}"


def _is_other(name: str, wanted: str) -> bool:
    try:
        return version(name) != wanted
    except PackageNotFoundError:
        return True


def files_finding(limit: int, used: int) -> Finding:
    """Judge the server's limit of open files."""
    if limit < FILES:
        do = "Set LimitNOFILE=65536 in the unit (see deploy), or run ulimit -n before make run."
        said = f"The server may open {limit} files, which limits its connections."
        return warning("open files", said, do)
    return ok("open files", f"{used} of {limit} files are open.")


def clock() -> Iterator[Finding]:
    """Check that the clock is synchronized and agrees with the database."""
    if program := shutil.which("timedatectl"):
        command = [program, "show", "-p", "NTPSynchronized", "--value"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=5)
        if done.stdout.strip() == "no":
            do = "sudo apt install systemd-timesyncd"
            yield warning("clock", "The clock of this machine is not synchronized.", do)
    if connection.vendor != "postgresql":
        yield ok("clock", "The server and its database share one clock.")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")  # the next statement does not wait for a connection
        asked = timezone.now()
        cursor.execute("SELECT clock_timestamp()")
        theirs, answered = cursor.fetchone()[0], timezone.now()
    yield skew_finding(theirs, asked + (answered - asked) / 2, "the clock of the database")


def skew_finding(theirs: datetime, ours: datetime, whose: str) -> Finding:
    """Judge the difference between another clock and this machine's at the same moment."""
    skew = (ours - theirs).total_seconds()
    order = "ahead of" if skew > 0 else "behind"
    said, do = f"It is {abs(skew):.2f} s {order} {whose}.", "Synchronize both with NTP."
    if abs(skew) < SKEW:
        return ok("clock", said)
    return error("clock", said, do) if abs(skew) > MUCH_SKEW else warning("clock", said, do)


def static_files() -> Iterator[Finding]:
    """Check that all collected static files exist."""
    do = f"{settings.COMMAND} prepare (as the account of the server), then restart."
    root = Path(settings.STATIC_ROOT)
    if not (root / MANIFEST).exists():
        yield error("static files", f"None have been collected in {root}.", do)
        return
    names = json.loads((root / MANIFEST).read_text())["paths"].values()
    if missing := [name for name in names if not (root / name).exists()]:
        said = f"{len(missing)} of {len(names)} are missing, e.g. {missing[0]}."
        yield error("static files", said, do)
    else:
        yield ok("static files", f"All {len(names)} files exist.")


def backups() -> Iterator[Finding]:
    """Check that there is a recent backup."""
    found = sorted((Path(settings.VAR) / "backups").glob(PATTERN))
    do = "systemctl status parlour-backup.timer; journalctl -u parlour-backup"
    if not found:
        yield warning("backup", "There are no backups in var/backups.", do)
        return
    age = time.time() - found[-1].stat().st_mtime
    if age > STALE:
        yield warning("backup", f"The last one is {age / 86400:.0f} days old.", do)
    else:
        yield ok("backup", f"{found[-1].name}; keep a copy on another machine.")
