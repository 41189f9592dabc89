"""Run the whole suite: `python -m tests.whole [pytest arguments]`. Retry what fails.

A browser, a server and thousands of tests share two processors, so occasionally one of them misses
a deadline because of its neighbors. If at most six files contain failures, the failed tests run
again, one at a time. Those that pass then are named, to be fixed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""The file in which pytest records the failed tests."""
FEW = 6
"""Maximum number of files to retry. If one server does not start, every test of its file fails."""


def main() -> int:
    """Run the suite, and retry failures if they are few. Return the exit code."""
    FAILED.unlink(missing_ok=True)
    code = _pytest(sys.argv[1:])
    failed = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    if code != 1 or not 0 < len({name.split("::")[0] for name in failed}) <= FEW:
        return code
    print("Failed, and run again one at a time:", *failed, sep="\n  ", flush=True)
    code = _pytest(failed)
    if code == 0:
        print("Passed by themselves. They are unsteady: fix them.", *failed, sep="\n  ", flush=True)
    return code


def _pytest(arguments: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main())
