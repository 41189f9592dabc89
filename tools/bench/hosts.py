"""People on one host and on two, as network namespaces: `python -m tools.bench.hosts --tables 20`.

Needs root on Linux. Each host runs one process. At each table, six people play Mia on their pages,
and somebody moves every five seconds. Players per core counts the processor time of processes,
PostgreSQL and Redis. It means something as long as p99 is below 500 ms.
"""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from pathlib import Path

from tests.chaos.world import World
from tools.bench.rooms import opened
from tools.bench.server import LOG_IN, cpu_of, quantile, row
from tools.bench.tables import PLAYERS, Page, Room

USED = "SELECT count(*) FROM pg_stat_activity WHERE datname LIKE 'test_%'"
MOVES = "SELECT count(*) FROM games_act WHERE kind = 'move'"
WARM = 10.0
COLUMNS = (
    "players",
    "moves/s",
    "p50/p99",
    "cores",
    "of the database",
    "players/core",
    "MiB",
    "conn.",
)


def main() -> None:
    """Print a row for each number of tables, on two hosts and on one."""
    parser = ArgumentParser(prog="python -m tools.bench.hosts", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[20, 80], help="at each host")
    parser.add_argument("--viewers", type=int, default=PLAYERS, help="at each table (6)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each row (20)")
    parser.add_argument("--pace", type=float, default=5.0, help="seconds between moves (5)")
    asked = parser.parse_args()
    world = World("hosts")
    for server in world.servers:
        server.env["WORKERS"] = "1"
    try:
        world.start()
        row("pages; MiB and connections of a process", *COLUMNS)
        for hosts in (2, 1):
            for server in world.servers[hosts:]:
                server.stop()
            for tables in asked.tables:
                measured = _Measured(world, hosts, asked.viewers, asked.pace)
                asyncio.run(measured.print_row(tables * hosts, asked.seconds))
    finally:
        world.close()


class _Measured:
    """Tables of people who play at a pace, spread over some of the hosts."""

    def __init__(self, world: World, hosts: int, viewers: int, pace: float) -> None:
        self.world, self.viewers, self.pace = world, viewers, pace
        self.servers = world.servers[:hosts]

    async def print_row(self, tables: int, seconds: float) -> None:
        """Open tables, let people play, and print what it costs."""
        rooms = await self._opened(tables)
        await asyncio.gather(*(room.play(WARM, self.pace) for room in rooms))
        before, began = self._totals(), time.monotonic()
        await asyncio.gather(*(room.play(seconds, self.pace) for room in rooms))
        took = time.monotonic() - began
        moves, own, theirs = (now - then for now, then in zip(self._totals(), before, strict=True))
        waits = [wait * 1000 for room in rooms for wait in room.counted.took]
        players = tables * self.viewers
        row(
            f"  {len(self.servers)} hosts, {tables} tables",
            str(players),
            f"{moves / seconds:.0f}",
            f"{quantile(waits, 0.5):.0f}/{quantile(waits, 0.99):.0f} ms",
            f"{own / took:.2f}",
            f"{theirs / took:.2f}",
            f"{players * took / (own + theirs):.0f}",
            str(max(map(_memory, self._pids()))),
            f"{self.world.rows(USED)[0][0] / len(self.servers):.0f}",
        )
        await asyncio.gather(*(room.close() for room in rooms))

    async def _opened(self, tables: int) -> list[Room]:
        script = LOG_IN.format(first=time.time_ns(), count=tables * self.viewers)
        sessions = self.servers[0].manage("shell", "--no-imports", "-c", script).split()
        rooms = list[Room]()
        for at, server in enumerate(self.servers):
            people = [sessions[table::tables] for table in range(at, tables, len(self.servers))]
            rooms += await opened(server.url, Page, people)
        return rooms

    def _pids(self) -> list[int]:
        return [server.process.pid for server in self.servers if server.process]

    def _totals(self) -> tuple[float, float, float]:
        """Return the moves so far, and the processor time of processes and of the database."""
        services = (self.world.postgres, self.world.redis)
        theirs = [of.process.pid for of in services if of is not None and of.process]
        theirs += [pid for parent in theirs for pid in _children(parent)]
        moves = float(str(self.world.rows(MOVES)[0][0]))
        return moves, sum(map(cpu_of, self._pids())), sum(map(cpu_of, theirs))


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _memory(pid: int) -> int:
    """Return the resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


if __name__ == "__main__":
    main()
