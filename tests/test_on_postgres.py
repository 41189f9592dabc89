"""Tests that write rooms and matches, run on PostgreSQL and Redis alongside everything else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.kit.served import ROOT
from tests.scheduling import NICENESS

pytestmark = pytest.mark.slow


def test_storage_tests_pass_on_postgresql_and_redis() -> None:
    """Run `tests/on_postgres.py` in its own process, because settings are read once per process.

    It has low priority, because it uses much processor time. It is a single process, because each
    further one would collect the tests and migrate a database of its own.
    """
    command = ["nice", "-n", str(NICENESS), sys.executable, "-m", "tests.on_postgres"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed in " in done.stdout, done.stdout
