"""The server under test, in a separate process."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType

import psycopg

from tests.kit.served import Served
from tests.kit.services import Postgres, Redis

FREE = {
    "WS_BURST": "0",
    "WS_RATE": "0",
    "LIMIT_STARTS": "0",
    "SOCKETS_PER_ADDRESS": "0",
    "SOCKETS_PER_PERSON": "0",
    "LADDER": "on",
}
LOG_IN = """
from importlib import import_module
from django.conf import settings
from accounts.guests import make_guest
sessions = import_module(settings.SESSION_ENGINE).SessionStore
for at in range({first}, {first} + {count}):
    guest, session = make_guest(f"p{{at}}"), sessions()
    session["_auth_user_id"] = str(guest.pk)
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session["_auth_user_hash"] = guest.get_session_auth_hash()
    session.save()
    print(session.session_key)
"""


class Durable(Postgres):
    """PostgreSQL with durable commits, as in production."""

    def command(self) -> list[str]:
        """Return the command line that starts PostgreSQL with durable commits, unlike in tests."""
        return [*super().command(), "-c", "fsync=on", "-c", "full_page_writes=on"]


class BenchServer:
    """A Parlour server without bot delays or flood limits.

    It runs on SQLite, or on PostgreSQL with Redis.
    """

    def __init__(self, folder: Path, postgresql: bool = False) -> None:
        self.services: tuple[Durable, Redis] | tuple[()] = ()
        if postgresql:
            self.services = (Durable(), Redis())
        self.database = "PostgreSQL" if postgresql else "SQLite"
        env = dict(FREE)
        for service in self.services:
            service.start()
        if self.services:
            database = self.services[0].new_database()
            env |= {"DATABASE_URL": database, "REDIS_URL": self.services[1].url}
        self.served = Served(folder, **env)
        self._logged_in = 0

    def __enter__(self) -> BenchServer:
        self.served.prepare()
        if self.services:
            self.served.manage("migrate", "--verbosity", "0")
        self.served.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.served.stop()
        for service in self.services:
            service.remove()

    def log_in(self, count: int) -> list[str]:
        """Create guests. Return their session keys."""
        self._logged_in += 1
        script = LOG_IN.format(first=self._logged_in * 10_000, count=count)
        return self.served.manage("shell", "--no-imports", "-c", script).split()

    def moves(self) -> int:
        """Return the number of stored moves."""
        question = "select count(*) from games_act where kind = 'move'"
        if self.services:
            with psycopg.connect(self.served.env["DATABASE_URL"]) as connection:
                (row,) = connection.execute(question)
            return int(row[0])
        with closing(sqlite3.connect(self.served.database)) as stored:
            return int(stored.execute(question).fetchone()[0])

    def cpu(self) -> float:
        """Return the processor time of the server, in seconds."""
        assert self.served.process is not None
        return cpu_of(self.served.process.pid)


def cpu_of(pid: int) -> float:
    """Return the processor time of a process in seconds, or 0 if it is not available."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = said.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def row(what: str, *figures: str) -> None:
    """Print a line of the report."""
    print(f"{what:<44}" + "".join(f"{figure:>16}" for figure in figures), flush=True)


def quantile(values: list[float], share: float) -> float:
    """Return the `share` quantile of these values. A share of 0.5 is the median."""
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
