"""Load of each process if there are several: `python -m tools.bench.processes 1 2 4 8`.

All processes share PostgreSQL and Redis. In front of each, bots play at some tables, and a program
watches each table. If processes did not work for each other's tables, the figures of each process
would stay equal.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from argparse import ArgumentParser
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from tests.kit.served import Served
from tests.kit.services import Postgres, Redis
from tools.bench import sockets
from tools.bench.server import FREE, LOG_IN, cpu_of, row
from tools.bench.sockets import Socket

BOTS, BOT_DELAY = 5, "1"
WARM = 5.0
COLUMNS = ("acts/s", "CPU %", "ms per act", "transactions/s", "rows/s", "messages/s", "MiB")
ACTS = "SELECT count(*) FROM games_act"
TRANSACTIONS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
ROWS = "SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables"


@dataclass
class Totals:
    """Work done by all processes since they started."""

    acts: float
    transactions: float
    rows: float
    messages: float
    cpu: float

    def since(self, before: Totals) -> Totals:
        """Return the difference."""
        pairs = zip(astuple(self), astuple(before), strict=True)
        return Totals(*(now - then for now, then in pairs))


class Processes:
    """Processes with a database and Redis in common."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres, self.redis = Postgres(), Redis()
        self.served: list[Served] = []

    def start(self, count: int) -> None:
        """Start the database, Redis and this number of processes."""
        self.postgres.start()
        self.redis.start()
        self.database = self.postgres.new_database()
        env = FREE | {"DATABASE_URL": self.database, "REDIS_URL": self.redis.url}
        env |= {"BOT_DELAY": BOT_DELAY, "DATABASE_CONNECTIONS": "20"}
        for at in range(count):
            (self.folder / str(at)).mkdir()
            served = Served(self.folder / str(at), **env)
            served.prepare()
            self.served.append(served)
        self.url = self.served[0].url
        self.served[0].manage("migrate", "--verbosity", "0")
        for served in self.served:
            served.env["PUBLIC_URL"] = self.url
            served.start()

    def close(self) -> None:
        """Stop everything."""
        for served in self.served:
            served.stop()
        self.postgres.remove()
        self.redis.remove()

    def totals(self) -> Totals:
        """Return the work done so far."""
        with psycopg.connect(self.database) as connection:
            ask = [
                float(str(connection.execute(sql).fetchone()[0]))  # type: ignore[index]
                for sql in (ACTS, TRANSACTIONS, ROWS)
            ]
        with redis.Redis.from_url(self.redis.url) as client:
            stats = client.info("commandstats")
        messages = stats.get("cmdstat_publish", {}).get("calls", 0)
        messages += stats.get("cmdstat_evalsha", {}).get("calls", 0)
        return Totals(*ask, messages, sum(cpu_of(pid) for pid in self.pids))

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [served.process.pid for served in self.served if served.process]


async def watch(served: Served, origin: str, session: str) -> Socket:
    """Open a table of bots in a process, watch it, and play again after each match."""
    headers = {"Origin": origin, "Cookie": f"sessionid={session}"}
    socket = await sockets.opened(served.url.replace("http", "ws") + "/api/ws/", headers)

    async def ask(**packet: Any) -> None:
        """Send a packet, and wait until it is answered."""
        await socket.send(json.dumps(packet | {"id": 1}))
        while json.loads(await socket.next()).get("id") != 1:
            pass

    def play_again(frame: bytes) -> None:
        if b'"type":"GameEnd"' in frame:
            socket.say(b'{"type":"PlayAgain"}')

    await socket.next()
    await ask(type="HostGame", game="mia", options={"lives": 9, "idleKick": 0}, syncs="changes")
    await ask(type="SetSpectating", spectating=True)
    for _ in range(BOTS):
        await ask(type="AddBot", level="random")
    await ask(type="StartGame")
    socket.listen(play_again)
    return socket


async def measure(count: int, tables: int, seconds: float) -> None:
    """Print the row of this number of processes."""
    with tempfile.TemporaryDirectory() as folder:
        processes = Processes(Path(folder))
        try:
            processes.start(count)
            script = LOG_IN.format(first=1, count=count * tables)
            sessions = processes.served[0].manage("shell", "--no-imports", "-c", script).split()
            opened = [
                await watch(served, processes.url, sessions.pop())
                for served in processes.served
                for _ in range(tables)
            ]
            await asyncio.sleep(WARM)
            before = processes.totals()
            await asyncio.sleep(seconds)
            did = processes.totals().since(before)
            memory = max(_memory(pid) for pid in processes.pids)
            await asyncio.gather(*(socket.close() for socket in opened))
        finally:
            processes.close()
    each = seconds * count
    row(
        f"  {count} processes",
        f"{did.acts / each:.1f}",
        f"{did.cpu / each * 100:.1f}",
        f"{did.cpu / did.acts * 1000:.1f}",
        f"{did.transactions / each:.0f}",
        f"{did.rows / each:.0f}",
        f"{did.messages / each:.1f}",
        str(memory),
    )


def _memory(pid: int) -> int:
    """Return the resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def main() -> None:
    """Measure each of the given numbers of processes."""
    parser = ArgumentParser(prog="python -m tools.bench.processes", description=__doc__)
    parser.add_argument("counts", type=int, nargs="*", default=[1, 2, 4, 8])
    parser.add_argument("--tables", type=int, default=5, help="in front of each process (5)")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each row (15)")
    asked = parser.parse_args()
    row(f"{asked.tables} tables of {BOTS} bots for each process; figures of one", *COLUMNS)
    for count in asked.counts:
        asyncio.run(measure(count, asked.tables, asked.seconds))


if __name__ == "__main__":
    main()
