"""Load on one host and on two, as network namespaces: `python -m tools.bench.hosts --tables 20`.

Needs root on Linux. Each host runs two processes, and programs play against bots at all tables of
a host. Processor time counts, not the clock, so other work on the machine matters little.
"""

from __future__ import annotations

import asyncio
import os
import time
from argparse import ArgumentParser
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.chaos.load import Load
from tests.chaos.world import World

USED = "SELECT count(*) FROM pg_stat_activity WHERE datname LIKE 'test_%'"
STARTS_WITHIN = 120.0
HEADINGS = ("hosts", "tables", "moves a second", "ms of CPU per move", "MiB", "connections")


def main() -> None:
    """Print a row for one host and a row for two."""
    parser = ArgumentParser(prog="python -m tools.bench.hosts", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="at each host (20)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each row (20)")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds a bot thinks (0.5)")
    asked = parser.parse_args()
    shown = Table(title="MiB and connections are those of one process")
    for heading in HEADINGS:
        shown.add_column(heading, justify="right")
    world = World("hosts", asked.pace)
    try:
        world.start()
        for count in (2, 1):
            for server in world.servers[count:]:
                server.stop()
            shown.add_row(*asyncio.run(_row(world, count, asked.tables * count, asked.seconds)))
    finally:
        world.close()
    Console().print(shown)


async def _row(world: World, hosts: int, tables: int, seconds: float) -> list[str]:
    pids = [pid for server in world.servers[:hosts] for pid in server.workers()]
    async with Load(world.urls[:hosts], tables) as load:
        await load.everybody_goes_on(STARTS_WITHIN)
        codes = [table.code for table in load.tables]
        moves, used, began = world.acts(codes), sum(map(_cpu, pids)), time.monotonic()
        await asyncio.sleep(seconds)
        moves, used = world.acts(codes) - moves, sum(map(_cpu, pids)) - used
        took = time.monotonic() - began
        connections = world.rows(USED)[0][0]
    memory = max(_memory(pid) for pid in pids)
    each = f"{connections / len(pids):.0f}"
    return [
        str(hosts),
        str(tables),
        f"{moves / took:.0f}",
        f"{1000 * used / moves:.1f}",
        str(memory),
        each,
    ]


def _cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    """Return the resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


if __name__ == "__main__":
    main()
