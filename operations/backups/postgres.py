"""PostgreSQL's own programs, which write and read whole databases."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection

FOLDERS = Path("/usr/lib/postgresql")


class Failed(Exception):
    """A program is missing, or has refused; says why."""


def dump(target: Path, snapshot: str) -> None:
    """Write the database as it was at a snapshot of a transaction that is still open."""
    run("pg_dump", "-Fc", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", "-f", target)


def load(source: Path) -> None:
    """Put a dump into the database, in one transaction; tables of an empty place give way."""
    options = ("--no-owner", "--no-privileges", "--clean", "--if-exists", "--single-transaction")
    run("pg_restore", *options, "-d", connection.settings_dict["NAME"], source)


def run(program: str, *arguments: Any) -> None:
    """Run a program on our database. Passwords are in its environment, seen by nobody else."""
    command = [_found(program), *map(str, arguments)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or "without a word").splitlines()[-1]
        raise Failed(f"{program} has failed: {last}")


def _found(program: str) -> str:
    """The newest there is: an older one refuses a newer server."""
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
