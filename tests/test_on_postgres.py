"""What writes rooms and matches, tested on PostgreSQL and Redis beside everything else."""

from __future__ import annotations

import subprocess
import sys

from tests.kit.served import ROOT
from tests.scheduling import NICENESS


def test_the_same_holds_on_postgresql_and_redis() -> None:
    """By a run of its own (`tests/on_postgres.py`): settings are read once for a process.

    It computes more than it waits, so it lets others go first, as the workers that compute do.
    In one process: each would collect the tests and migrate a database of its own.
    """
    command = ["nice", "-n", str(NICENESS), sys.executable, "-m", "tests.on_postgres"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed in " in done.stdout, done.stdout
