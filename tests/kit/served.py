"""A real server process for tests: its own database, a free port, stopped by its pid."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path

from tests.kit.waiting import BETWEEN, patiently
from tests.once import Once

ROOT = Path(__file__).resolve().parents[2]


WORKERS = 32


def free_port() -> int:
    """A port nobody listens on, and which nobody else in this run is given."""
    return _free_port(socket.SOCK_STREAM)


def free_udp_port() -> int:
    """The same for datagrams."""
    return _free_port(socket.SOCK_DGRAM)


def _free_port(kind: socket.SocketKind) -> int:
    return next(port for port in _ports() if _is_free(port, kind))


def _is_free(port: int, kind: socket.SocketKind) -> bool:
    with socket.socket(socket.AF_INET, kind) as probe, suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False


@cache
def _ports() -> Iterator[int]:
    """The ports of this worker, below those the system gives out by itself, in an order by chance.

    Each worker has every WORKERS-th. None comes twice before all have come: a server that is only
    about to listen still has its own.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
    ports = list(range(20_000 + worker, 32_000, WORKERS))
    secrets.SystemRandom().shuffle(ports)
    return cycle(ports)


@cache
def _template() -> Path:
    """What `prepare` makes, made once in a run: migrating and compressing are dear."""
    prepared = Once("prepared")
    if not prepared.is_made():
        folder = Path(tempfile.mkdtemp(dir=prepared.path.parent))
        Served(folder).manage("prepare")
        prepared.made(folder)
    return prepared.path


@cache
def _names() -> dict[str, str]:
    """The names under which static files are served."""
    names: dict[str, str] = json.loads((_template() / "static/staticfiles.json").read_text())[
        "paths"
    ]
    return names


def as_served(html: str) -> str:
    """What this process has drawn, with the addresses a server has given its static files."""
    return re.sub(r"(?<=/static/)[\w./-]+", lambda found: _names()[found[0]], html)


class Served:
    """`manage.py serve` on a database of its own; can be killed and started again."""

    def __init__(self, folder: Path, server: str = "uvicorn", **env: str) -> None:
        self.folder, self.server, self.port = folder, server, free_port()
        self.url = self.asked = f"http://127.0.0.1:{self.port}"
        self.database = folder / "served.sqlite3"
        self.root = ROOT
        self.env = {
            **{k: v for k, v in os.environ.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"},
            "PARLOUR_ENV": "",
            "PYTHONFAULTHANDLER": "1",  # a crash says where
            "DATABASE_URL": f"sqlite:///{self.database}",
            "SECRET_KEY": "for tests only, never for people to sit down with",
            "PUBLIC_URL": self.url,
            "BOT_DELAY": "0",
            "BEATS": "0",
            "RESULT_SECONDS": "0",
            "MIA_UDP_PORT": "",
            "LOG_LEVEL": "WARNING",
            "DEBUG": "",
            "STATIC_ROOT": str(folder / "static"),
            **env,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Get the database and the static files ready: copies of what `prepare` has made once."""
        template = _template()
        shutil.copy(template / self.database.name, self.database)
        shutil.copytree(template / "static", self.env["STATIC_ROOT"], dirs_exist_ok=True)

    def manage(self, *args: str, input: str | None = None) -> str:
        """Run a command of manage.py on this database; return what it prints."""
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(
            command, cwd=self.root, env=self.env, input=input, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.log = (self.folder / "served.log").open("ab")
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--server", self.server],
            cwd=self.root,
            env=self.env,
            stdout=self.log,
            stderr=self.log,
        )
        self.wait_until_it_answers()

    def wait_until_it_answers(self) -> None:
        """Wait until the server answers; fail with its log where it ends instead."""
        assert self.process is not None
        for _ in patiently(lambda: f"the server does not answer: {self.said()}"):
            assert self.process.poll() is None, self.said()
            if self._answers():
                return
            time.sleep(BETWEEN)

    def workers(self) -> list[int]:
        """The pids of its workers; none where it serves by itself."""
        if self.process is None or self.env.get("WORKERS", "1") == "1":
            return []
        pid = self.process.pid
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def _answers(self) -> bool:
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(self.asked, timeout=15).close()
            return True
        return False

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Stop the server, by SIGKILL when that is asked for, or when it does not listen."""
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
        self.log.close()

    def must_run(self) -> None:
        """Fail where the server has ended by itself. Start it again for the tests that follow."""
        code = None if self.process is None else self.process.poll()
        if code is not None:
            self.log.close()
            self.start()
            raise AssertionError(f"the server ended with {code}: {self.said()}")

    def said(self) -> str:
        """What the server has printed so far."""
        return (self.folder / "served.log").read_text()
