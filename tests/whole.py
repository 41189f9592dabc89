"""Runs the whole suite: `python -m tests.whole [pytest arguments]`. What fails is run once more.

A browser, a server and six thousand tests share two processors, and once in some runs one of them
comes too late for its neighbours. So what fails in a few files is run again, one test after the
other, with nothing beside it: a fault fails again, and what passes is named, to be mended. Failures
in many files are no accident; neither is a run that breaks off.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""Where pytest notes, by name, which tests failed."""
FEW = 6
"""In so many files at most. One server that does not start fails every test of its file."""
TESTS_FAILED = 1
"""What pytest exits with where tests failed, and nothing worse happened."""

Run = Callable[[Sequence[str]], int]
"""Runs pytest with these arguments, and returns what it exits with."""


def main(arguments: Sequence[str], run: Run, failed: Path = FAILED) -> int:
    """Run the suite, and what failed once more where it is little; return the exit code."""
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
    """Run pytest in a process of its own."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], pytest))
