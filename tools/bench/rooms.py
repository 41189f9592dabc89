"""Cost of a move: for programs and for pages, with one table and with many."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import islice

from tools.bench import bare
from tools.bench.server import BenchServer, quantile, row
from tools.bench.tables import Room, Viewer

WARM = 2.0
"""Minimum seconds of warm-up. Templates and statements are prepared on first use."""
TOGETHER = 10
"""Tables that are opened at the same time."""
YARDSTICK = 3.0
"""Seconds to measure the bare server, before and after each row."""
COLUMNS = ("moves/s", "p50/p99", "CPU s/1000", "x bare", "bytes/viewer", "frames/viewer")


async def measure(
    server: BenchServer,
    what: str,
    kind: type[Viewer],
    tables: Sequence[int],
    viewers: int,
    rate: float | None,
    seconds: float,
) -> None:
    """Measure each of these numbers of tables, with viewers of this kind at each table.

    All tables together make `rate` moves a second, or as many as they can if it is None.
    """
    row(f"Mia, {what}, {viewers} viewers, {server.database}", *COLUMNS)
    sessions = iter(server.log_in(sum(tables) * viewers))
    for count in tables:
        people = [list(islice(sessions, viewers)) for _ in range(count)]
        rooms = await opened(server.served.url, kind, people)
        pace = count / rate if rate else 0.0
        await figures(server, rooms, seconds, pace, f"  {count} tables")
        await asyncio.gather(*(room.close() for room in rooms))


async def opened(url: str, kind: type[Viewer], people: list[list[str]]) -> list[Room]:
    """Open a room for each of these lists of viewers, and start its match."""
    rooms = [Room(url, kind, viewers) for viewers in people]
    for first in range(0, len(rooms), TOGETHER):
        await asyncio.gather(*(room.open() for room in rooms[first : first + TOGETHER]))
    return rooms


async def figures(
    server: BenchServer, rooms: list[Room], seconds: float, pace: float, name: str
) -> None:
    """Let all tables play for some seconds, and print one row of the report."""
    await asyncio.gather(*(room.play(max(WARM, pace), pace) for room in rooms))
    before = await bare.measure(YARDSTICK)
    cpu, stored = server.cpu(), server.moves()
    await asyncio.gather(*(room.play(seconds, pace) for room in rooms))
    used, moves = server.cpu() - cpu, server.moves() - stored
    shown = max(1, moves - sum(room.behind for room in rooms))
    yardstick = (before + await bare.measure(YARDSTICK)) / 2
    viewers = len(rooms[0].viewers)
    took = [one * 1000 for room in rooms for one in room.counted.took]
    cost = used * 1000 / shown
    row(
        name,
        f"{shown / seconds:.0f}",
        f"{quantile(took, 0.5):.0f}/{quantile(took, 0.99):.0f} ms",
        f"{cost:.2f}",
        f"{cost / yardstick:.1f}",
        f"{sum(room.counted.size for room in rooms) / shown / viewers:.0f}",
        f"{sum(room.counted.frames for room in rooms) / shown / viewers:.1f}",
    )
