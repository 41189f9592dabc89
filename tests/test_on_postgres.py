"""What writes rooms and matches, tested on PostgreSQL and Redis beside everything else."""

from __future__ import annotations

import subprocess
import sys

from tests.kit.served import ROOT
from tests.scheduling import NICENESS

WORKERS = 2


def test_the_same_holds_on_postgresql_and_redis() -> None:
    """By a run of its own (`tests/on_postgres.py`): settings are read once for a process.

    It computes more than it waits, so it lets others go first, as the workers that compute do.
    """
    run = ["-m", "tests.on_postgres", "-n", str(WORKERS), "--dist", "worksteal"]
    command = ["nice", "-n", str(NICENESS), sys.executable, *run]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed in " in done.stdout, done.stdout
