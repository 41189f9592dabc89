"""Run tests on a real PostgreSQL and Redis: `python -m tests.on_postgres [pytest arguments]`."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.kit.services import Postgres, Redis

DEFAULT = [
    *(
        f"tests/games/test_{name}.py"
        for name in (
            "rooms",
            "commands",
            "writer",
            "hanging",
            "locked_rows",
            "cleanup",
            "counting",
            "seeking",
            "ladder",
            "mixing",
        )
    ),
    "tests/games/test_clock.py::test_unanswered_prompt_times_out",
    "tests/games/test_costs.py::test_ordinary_move_writes_two_rows_and_reads_nothing[mia]",
    "tests/wire/test_people.py",
    "tests/accounts/test_login_keys.py",
    "tests/lobby/test_match_files.py",
    "tests/lobby/test_mine.py::TestBadge",
    "tests/moderation/test_many.py",
    "tests/udp/test_lease.py",
]
"""Tests of what databases do differently: constraints, locks, timeouts, letter case, order, counts.
`tests/chaos` plays on PostgreSQL and Redis over sockets."""

UNCLOSED = ("-W", "ignore::pytest.PytestUnraisableExceptionWarning")
"""Ending threads leave their connection to the garbage collector, and psycopg warns each time."""


def main() -> None:
    """Start both servers, run pytest, and stop them. Exit with pytest's status."""
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()
        env = {"DATABASE_URL": postgres.new_database(), "REDIS_URL": redis.url}
        command = [sys.executable, "-m", "pytest", "--reuse-db", *UNCLOSED, *_arguments()]
        code = subprocess.run(command, env={**_own_environment(), **env}).returncode
    finally:
        redis.remove()
        postgres.remove()
    sys.exit(code)


def _own_environment() -> dict[str, str]:
    """Return the environment without pytest-xdist's variables.

    The script may have been started by a test, which sets these.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def _arguments() -> list[str]:
    """Return the given arguments. If they name no files, add the default files."""
    given = sys.argv[1:]
    return given if any(argument.startswith("tests/") for argument in given) else [*given, *DEFAULT]


if __name__ == "__main__":
    main()
