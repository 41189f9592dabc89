"""The server that is measured, in a process of its own."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType

from tests.kit.served import Served, free_udp_port

FREE = {"WS_BURST": "0", "WS_RATE": "0", "SOCKETS_PER_ADDRESS": "0", "SOCKETS_PER_PERSON": "0"}
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


class House:
    """A served Parlour without bots' pauses and limits for floods."""

    def __init__(self, folder: Path) -> None:
        self.udp_port = free_udp_port()
        self.served = Served(folder, MIA_UDP_PORT=str(self.udp_port), **FREE)
        self._logged_in = 0

    def __enter__(self) -> House:
        self.served.prepare()
        self.served.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.served.stop()

    def log_in(self, count: int) -> list[str]:
        """Make guests; return their sessions."""
        self._logged_in += 1
        script = LOG_IN.format(first=self._logged_in * 10_000, count=count)
        return self.served.manage("shell", "--no-imports", "-c", script).split()

    def moves(self) -> int:
        """How many moves are stored."""
        with closing(sqlite3.connect(self.served.database)) as stored:
            (count,) = stored.execute(
                "select count(*) from games_act where kind = 'move'"
            ).fetchone()
        return int(count)

    def cpu(self) -> float:
        """Seconds of processor time the server has used (0 where the system does not say)."""
        assert self.served.process is not None
        return cpu_of(self.served.process.pid)

    def memory(self) -> int:
        """Bytes of the server that are in memory."""
        assert self.served.process is not None
        try:
            pages = int(Path(f"/proc/{self.served.process.pid}/statm").read_text().split()[1])
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
