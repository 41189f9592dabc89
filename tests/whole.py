"""Run the whole suite: `python -m tests.whole [pytest arguments]`. Retry what fails.

A browser, a server and six thousand tests share two processors, so occasionally one of them misses
a deadline because of its neighbors. If only a few files fail, their failed tests are run again one
by one, with nothing beside them. A real fault fails again. A test that passes is reported by name,
to be fixed. Many failures are not retried, nor is a run that was aborted.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""The file in which pytest records the failed tests."""
FEW = 6
"""Maximum number of files to retry. If one server does not start, every test of its file fails."""
TESTS_FAILED = 1
"""Pytest's exit code if tests failed and nothing worse happened."""

Run = Callable[[Sequence[str]], int]
"""Runs pytest with these arguments and returns its exit code."""


def main(arguments: Sequence[str], run: Run, failed: Path = FAILED) -> int:
    """Run the suite, and retry failures if they are few; return the exit code."""
    failed.unlink(missing_ok=True)
    code = run(arguments)
    again = sorted(json.loads(failed.read_text())) if failed.exists() else []
    if code != TESTS_FAILED or not 0 < len({name.split("::")[0] for name in again}) <= FEW:
        return code
    print("Failed, and run once more with nothing beside:", *again, sep="\n  ", flush=True)
    code = run(again)
    if code == 0:
        print("Passed by themselves. They are unsteady: mend them.", *again, sep="\n  ", flush=True)
    return code


def pytest(arguments: Sequence[str]) -> int:
    """Run pytest in its own process."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], pytest))
