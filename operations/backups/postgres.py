"""Dump and load databases with PostgreSQL's own programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection

FOLDERS = Path("/usr/lib/postgresql")


class Failed(Exception):
    """A program is missing or has failed. The message says why."""


def dump(target: Path, snapshot: str) -> None:
    """Dump the database, as it is in the snapshot of an open transaction."""
    run("pg_dump", "-Fc", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", "-f", target)


def load(source: Path) -> None:
    """Load a dump in one transaction, replacing existing tables."""
    options = ("--no-owner", "--no-privileges", "--clean", "--if-exists", "--single-transaction")
    run("pg_restore", *options, "-d", connection.settings_dict["NAME"], source)


def run(program: str, *arguments: Any) -> None:
    """Run a program on the database.

    Passwords are passed in its environment, where others cannot see them.
    """
    command = [_found(program), *map(str, arguments)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or "no output").splitlines()[-1]
        raise Failed(f"{program} failed: {last}")


def _found(program: str) -> str:
    """Return the path of a program's newest version. Older versions refuse newer servers."""
    versions = sorted(FOLDERS.glob(f"*/bin/{program}"), key=_version, reverse=True)
    found = str(versions[0]) if versions else shutil.which(program)
    if found is None:
        raise Failed(f"{program} is missing: sudo apt install postgresql-client")
    return found


def _version(path: Path) -> int:
    number = path.parts[-3]
    return int(number) if number.isdigit() else 0


def _environment() -> dict[str, str]:
    used = connection.settings_dict
    named = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    given = {to: str(used[part]) for part, to in named.items() if used.get(part)}
    options = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT"}
    given |= {to: str(used["OPTIONS"][o]) for o, to in options.items() if o in used["OPTIONS"]}
    return {**os.environ, "PGDATABASE": str(used["NAME"]), **given}
