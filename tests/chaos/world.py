"""A running Parlour for fault injection: servers, their database, and their logs."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from tests.chaos.load import Acknowledged
from tests.kit.hosts import PRIVATE, Host, Network
from tests.kit.served import Served, free_udp_port
from tests.kit.services import Postgres, Redis

MOVES = """
    SELECT act.match_id, act.number, act.prompt, player.name FROM games_act act
    JOIN games_player player ON player.match_id = act.match_id AND player.seat = act.seat
    WHERE act.kind = 'move'"""
GAPS = """
    SELECT match.id, match.version, count(act.id), max(act.number) FROM games_match match
    JOIN games_act act ON act.match_id = match.id
    GROUP BY match.id, match.version
    HAVING match.version <> count(act.id) OR match.version <> max(act.number)"""
FINISHED = "SELECT id FROM games_match WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 5"
BROKEN = "SELECT id FROM games_match WHERE broken"
ACTS = """
    SELECT room.code, act.kind, count(*) FROM games_act act
    JOIN games_match match ON match.id = act.match_id
    JOIN games_room room ON room.id = match.room_id
    GROUP BY room.code, act.kind"""


class World:
    """`kind` sqlite: one process. `kind` postgres: two processes, PostgreSQL and Redis.

    `kind` workers: the same as one server with two workers. `kind` hosts: two hosts, as network
    namespaces, with two workers each. There, the programs of a table always use the same host.
    `bot_delay`: seconds a bot thinks, which sets the pace of tables. `has_history`: create a guest
    with a long history before the start, for `strangers`.
    """

    def __init__(self, kind: str, bot_delay: float = 0.02, has_history: bool = False) -> None:
        self.kind, self.has_history = kind, has_history
        self.history: Path | None = None
        """File written by `seed_history` if `has_history`."""
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-chaos-"))
        self.postgres = Postgres() if kind != "sqlite" else None
        self.redis = Redis() if kind != "sqlite" else None
        self.udp_port = free_udp_port()
        self.dice = random.Random(kind)
        env = {"BOT_DELAY": str(bot_delay), "SOCKETS_PER_ADDRESS": "0"}
        env |= {"LIMIT_STARTS": "0"}
        if not has_history:  # strangers attack a server with its default settings
            env |= {"WS_BURST": "0", "WS_RATE": "0"}
        self.networks = [Network(at) for at in range(2)] if kind == "hosts" else []
        if self.postgres and self.redis:
            if self.networks:
                self.postgres.open_to(f"{PRIVATE}.0.0/16")
                self.redis.open_to_all()
            self.postgres.start()
            self.redis.start()
            env |= {"DATABASE_URL": self.postgres.new_database(), "REDIS_URL": self.redis.url}
        self.database_url = env.get("DATABASE_URL", "")
        env["WORKERS"] = "2" if kind in ("workers", "hosts") else "1"
        count = 2 if kind in ("postgres", "hosts") else 1
        self.servers = [self._server(at, env) for at in range(count)]

    def _server(self, at: int, env: dict[str, str]) -> Served:
        folder = self.folder / str(at)
        folder.mkdir()
        env = {**env, "STATIC_ROOT": str(self.folder / "static")}
        env |= {"MIA_UDP_PORT": str(self.udp_port)}
        if not self.networks:
            return Served(folder, **env)
        network = self.networks[at]
        network.create()
        for name in ("DATABASE_URL", "REDIS_URL"):
            env[name] = env[name].replace("127.0.0.1", network.outer[PRIVATE])
        return Host(folder, network, **env)

    @property
    def urls(self) -> list[Callable[[], str]]:
        """Addresses for the programs of each table, in rotation: any server, or always one host."""
        if not self.networks:
            return [self.any_url]
        return [partial(self._url_of, server) for server in self.servers]

    @property
    def sqlite_file(self) -> Path:
        """The file of an SQLite world's database."""
        return self.servers[0].database

    def start(self) -> None:
        """Prepare the database and start every server."""
        if self.postgres is None:
            self.servers[0].prepare()
        else:
            self.servers[0].manage("prepare")
        if self.has_history:
            self._seed_history()
        with ThreadPoolExecutor() as pool:
            for _ in pool.map(Served.start, self.servers):
                pass

    def _seed_history(self) -> None:
        self.history = self.folder / "history.json"
        seed = "from tests.chaos.histories import seed_history"
        self.servers[0].manage("shell", "-c", f"{seed}; seed_history({str(self.history)!r})")

    def close(self) -> None:
        """Stop everything and delete it."""
        for server in self.servers:
            server.stop()
        for network in self.networks:
            network.remove()
        for service in (self.postgres, self.redis):
            if service is not None:
                service.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    def any_url(self) -> str:
        """Return the address for programs at one of the servers."""
        return self._url_of(self.dice.choice(self.servers))

    def _url_of(self, server: Served) -> str:
        return f"ws://{server.address}:{server.port}/api/ws/"

    def end(self, server: Served, how: int, within: float) -> float:
        """Send a signal to a server. Return the seconds until it exited.

        Raise AssertionError if the server does not exit in time.
        """
        process = server.process
        assert process is not None
        began = time.monotonic()
        process.send_signal(how)
        try:
            process.wait(within)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"a server did not end within {within:.0f} s") from None
        finally:
            server.process = None
            server.log.close()
        return time.monotonic() - began

    def lost(self, acknowledged: Iterable[Acknowledged]) -> set[Acknowledged]:
        """Return the acknowledged moves that are not in the log."""
        return set(acknowledged) - {Acknowledged(*row) for row in self.rows(MOVES)}

    def acts(self, codes: Iterable[str], kind: str = "") -> int:
        """Return how many acts of this kind, or of all, these tables have had so far."""
        wanted = set(codes)
        found = self.rows(ACTS)
        return sum(n for code, of, n in found if code in wanted and kind in ("", of))

    def log_problems(self) -> list[str]:
        """Return a message for each match whose log has gaps, or that was aborted."""
        gaps = [f"match {row[0]} is at {row[1]}, its log has {row[2:]}" for row in self.rows(GAPS)]
        return gaps + [f"match {row[0]} was given up" for row in self.rows(BROKEN)]

    def unfair(self) -> list[str]:
        """Verify the random draws of the newest finished matches. Return all mismatches."""
        matches = [str(match) for (match,) in self.rows(FINISHED)]
        try:
            if matches:
                self.servers[0].manage("verify_match", *matches)
        except AssertionError as said:
            return [str(said)]
        return []

    def tracebacks(self) -> list[str]:
        """Return the last lines of all tracebacks the servers have written."""
        said = "\n".join(server.said() for server in self.servers)
        return re.findall(r"^Traceback \(most recent call last\):\n(?: .*\n)*(\S.*)$", said, re.M)

    def rows(self, query: str) -> list[Any]:
        """Run a query on the database, bypassing the servers."""
        if self.postgres is None:
            with sqlite3.connect(self.sqlite_file, timeout=30) as database:
                return database.execute(query).fetchall()
        with psycopg.connect(self.database_url) as connection:
            return connection.execute(query).fetchall()
