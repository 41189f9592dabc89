"""Runs tests on a real PostgreSQL and Redis: `python -m tests.on_postgres [pytest arguments]`.

Without arguments, whatever writes rooms, matches, people and reports, and the sockets that show them.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.kit.services import Postgres, Redis

DEFAULT = ["tests/games", "tests/wire", "tests/lobby", "tests/moderation", "tests/accounts"]


def main() -> None:
    """Start both servers, run pytest, stop them; exit as pytest did."""
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()
        env = {"DATABASE_URL": postgres.new_database(), "REDIS_URL": redis.url}
        command = [sys.executable, "-m", "pytest", *(sys.argv[1:] or DEFAULT)]
        code = subprocess.run(command, env={**os.environ, **env}).returncode
    finally:
        redis.remove()
        postgres.remove()
    sys.exit(code)


if __name__ == "__main__":
    main()
