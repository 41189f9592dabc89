"""Real PostgreSQL and Redis servers for tests, on free ports and in their own folders."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import redis

from tests.installed import find_program
from tests.kit.served import free_port
from tests.kit.waiting import BETWEEN, patiently

STARTS_WITHIN = 60.0
UNSAFE_BUT_QUICK = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"]


class Service:
    """A server program on a free port. It is stopped by its pid and can be restarted."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-"))
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """Return the command line that runs the server in the foreground."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Return whether the server answers."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, user=self.user, cwd=self.folder
            )
        wait_until(self.is_ready, self.process, self.log)

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop the server. SIGINT makes PostgreSQL disconnect its clients."""
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def user(self) -> str | None:
        """The account under which the server runs. None is the current account."""
        return None


class Postgres(Service):
    """PostgreSQL with a superuser `parlour`. Its data survives a restart, not a power failure."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses = "127.0.0.1"
        if self.user:
            shutil.chown(self.folder, self.user)
        self.data = self.folder / "data"
        initdb = [find_program("initdb"), "-D", str(self.data), "-U", "parlour", "-A", "trust"]
        initdb += ["-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(
            initdb, check=True, stdout=subprocess.DEVNULL, user=self.user, cwd=self.folder
        )

    @property
    def user(self) -> str | None:
        """PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return None
        return "postgres" if _is_account("postgres") else "nobody"

    def open_to(self, network: str) -> None:
        """Listen on all addresses, and accept sessions from this network."""
        self.addresses = "*"
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {network} trust\n")

    def command(self) -> list[str]:
        """Return the command line of a server that listens on loopback, or on all addresses."""
        where = ["-h", self.addresses, "-p", str(self.port), "-k", str(self.folder)]
        return [find_program("postgres"), "-D", str(self.data), *where, *UNSAFE_BUT_QUICK]

    def is_ready(self) -> bool:
        """Return whether a connection can be made."""
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, name: str) -> str:
        """Return the address of a database, as DATABASE_URL takes it."""
        return f"postgres://parlour@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """Create an empty database. Return its address."""
        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


class Redis(Service):
    """Redis without persistence."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses = "127.0.0.1"

    def open_to_all(self) -> None:
        """Listen on all addresses."""
        self.addresses = "*"

    def command(self) -> list[str]:
        """Return the command line of a server that listens on loopback, or on all addresses."""
        where = [
            "--bind",
            self.addresses,
            "--protected-mode",
            "no",
            "--port",
            str(self.port),
            "--dir",
            str(self.folder),
        ]
        return [find_program("redis-server"), *where, "--save", "", "--appendonly", "no"]

    def is_ready(self) -> bool:
        """Return whether it answers a ping."""
        try:
            with redis.Redis.from_url(self.url, socket_timeout=5) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    @property
    def url(self) -> str:
        """Return the address, as REDIS_URL takes it."""
        return f"redis://127.0.0.1:{self.port}/0"


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server that was just started is ready. Fail with its log if it is not."""
    for _ in patiently(log.read_text, STARTS_WITHIN):
        if ready():
            return
        assert process.poll() is None, log.read_text()
        time.sleep(BETWEEN)


def _is_account(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False
