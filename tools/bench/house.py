"""The server that is measured, in a process of its own."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType

import psycopg

from tests.kit.served import Served, free_udp_port
from tests.kit.services import Postgres, Redis

FREE = {
    "WS_BURST": "0",
    "WS_RATE": "0",
    "LIMIT_STARTS": "0",
    "SOCKETS_PER_ADDRESS": "0",
    "SOCKETS_PER_PERSON": "0",
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


LENGTHEN = """
from games.models import Act, Match, Room
match = Match.objects.get(room__code="{code}", ended_at=None)
numbers = range(match.version + 1, {acts} + 1)
Act.objects.bulk_create(Act(match=match, number=n, kind="lapse", by="clock") for n in numbers)
if numbers:
    Match.objects.filter(pk=match.pk).update(version=numbers[-1])
"""


class Durable(Postgres):
    """PostgreSQL as people run it: what is committed is on the disk."""

    def command(self) -> list[str]:
        """The command line, without what makes tests quick."""
        return [*super().command(), "-c", "fsync=on", "-c", "full_page_writes=on"]


class House:
    """A served Parlour without bots' pauses and limits for floods; on SQLite, or on PostgreSQL
    (with Redis), there by one worker or several."""

    def __init__(self, folder: Path, postgresql: bool = False, workers: int = 1) -> None:
        self.udp_port = free_udp_port()
        self.services: tuple[Durable, Redis] | tuple[()] = ()
        if postgresql:
            self.services = (Durable(), Redis())
        self.database = "PostgreSQL" if postgresql else "SQLite"
        env = {"MIA_UDP_PORT": str(self.udp_port), "WORKERS": str(workers), **FREE}
        for service in self.services:
            service.start()
        if self.services:
            database = self.services[0].new_database()
            env |= {"DATABASE_URL": database, "REDIS_URL": self.services[1].url}
        self.served = Served(folder, **env)
        self._logged_in = 0

    def __enter__(self) -> House:
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
        """Make guests; return their sessions."""
        self._logged_in += 1
        script = LOG_IN.format(first=self._logged_in * 10_000, count=count)
        return self.served.manage("shell", "--no-imports", "-c", script).split()

    def moves(self) -> int:
        """How many moves are stored."""
        question = "select count(*) from games_act where kind = 'move'"
        if self.services:
            with psycopg.connect(self.served.env["DATABASE_URL"]) as connection:
                (row,) = connection.execute(question)
            return int(row[0])
        with closing(sqlite3.connect(self.served.database)) as stored:
            return int(stored.execute(question).fetchone()[0])

    def lengthen(self, code: str, acts: int) -> None:
        """Let the running match of a room have so many acts behind it."""
        self.served.manage("shell", "--no-imports", "-c", LENGTHEN.format(code=code, acts=acts))

    def cpu(self) -> float:
        """Seconds of processor time the server has used, with its workers."""
        return sum(map(cpu_of, self._processes()))

    def memory(self) -> int:
        """Bytes of the server that are in memory."""
        return sum(map(_memory_of, self._processes()))

    def _processes(self) -> list[int]:
        assert self.served.process is not None
        return [self.served.process.pid, *self.served.workers()]


def _memory_of(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu_of(pid: int) -> float:
    """Seconds of processor time a process has used (0 where the system does not say)."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = said.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def row(what: str, *figures: str) -> None:
    """A line of the report."""
    print(f"{what:<44}" + "".join(f"{figure:>16}" for figure in figures), flush=True)


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
