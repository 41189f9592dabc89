"""A real server process for tests, with its own database and a free port, stopped by its pid."""

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
    """Return a port that is free and given to nobody else in this run."""
    return _free_port(socket.SOCK_STREAM)


def free_udp_port() -> int:
    """Return a UDP port with the same guarantees."""
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
    """Yield this worker's ports in random order, below those the system assigns by itself.

    Each worker has every WORKERS-th port. Ports repeat only after all have been used, so a server
    that is not listening yet keeps its own.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
    ports = list(range(20_000 + worker, 32_000, WORKERS))
    secrets.SystemRandom().shuffle(ports)
    return cycle(ports)


@cache
def _template() -> Path:
    """Return the folder `prepare` made, once per run because migrating and compressing are slow.

    It starts from the migrated database of the tests, if there is one.
    """
    prepared, migrated = Once("prepared"), Once("migrated.sqlite3").path
    if not prepared.is_made():
        server = Served(Path(tempfile.mkdtemp(dir=prepared.path.parent)))
        if migrated.exists():
            shutil.copy(migrated, server.database)
        server.manage("prepare")
        prepared.made(server.folder)
    return prepared.path


@cache
def _names() -> dict[str, str]:
    """Return the names under which static files are served."""
    names: dict[str, str] = json.loads((_template() / "static/staticfiles.json").read_text())[
        "paths"
    ]
    return names


def as_served(html: str) -> str:
    """Return HTML rendered here with the hashed static URLs of a server."""
    return re.sub(r"(?<=/static/)[\w./-]+", lambda found: _names()[found[0]], html)


def _is_worker(pid: str) -> bool:
    """Return whether uvicorn spawned this process and it is not a `multiprocessing` helper."""
    with suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


class Served:
    """`manage.py serve` with a separate database. It can be killed and restarted."""

    def __init__(self, folder: Path, server: str = "uvicorn", **env: str) -> None:
        self.folder, self.server, self.port = folder, server, free_port()
        self.url = self.asked = f"http://127.0.0.1:{self.port}"
        self.database = folder / "served.sqlite3"
        self.root = ROOT
        self.env = {
            **{k: v for k, v in os.environ.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"},
            "PARLOUR_ENV": "",
            "PYTHONFAULTHANDLER": "1",  # a crash prints its stack
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
        self.address, self.prefix = "127.0.0.1", tuple[str, ...]()
        """Address of the server, and a command before its command (`tests.kit.hosts`)."""
        self.process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Prepare the database and static files by copying the results of a single `prepare`."""
        template = _template()
        shutil.copy(template / self.database.name, self.database)
        shutil.copytree(template / "static", self.env["STATIC_ROOT"], dirs_exist_ok=True)

    def manage(self, *args: str, input: str | None = None) -> str:
        """Run a manage.py command on this database and return its output."""
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(
            command, cwd=self.root, env=self.env, input=input, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.log = (self.folder / "served.log").open("ab")
        command = [*self.prefix, sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--server", self.server],
            cwd=self.root,
            env=self.env,
            stdout=self.log,
            stderr=self.log,
        )
        self.wait_until_it_answers()

    def wait_until_it_answers(self) -> None:
        """Wait until the server answers. Fail with its log if it exits instead."""
        assert self.process is not None
        for _ in patiently(lambda: f"the server does not answer: {self.said()}"):
            assert self.process.poll() is None, self.said()
            if self._answers():
                return
            time.sleep(BETWEEN)

    def workers(self) -> list[int]:
        """Return the pids of the server's workers. Return none if it has a single process."""
        if self.process is None or self.env.get("WORKERS", "1") == "1":
            return []
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(n) for n in children if _is_worker(n)]

    def _answers(self) -> bool:
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(self.asked, timeout=15).close()
            return True
        return False

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Stop the server. Use SIGKILL on request, or if the server does not exit in time."""
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
        """Fail if the server has died, and restart it for the following tests."""
        code = None if self.process is None else self.process.poll()
        if code is not None:
            self.log.close()
            self.start()
            raise AssertionError(f"the server ended with {code}: {self.said()}")

    def said(self) -> str:
        """Return the server's output so far."""
        return (self.folder / "served.log").read_text()
