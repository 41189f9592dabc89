"""Cost of a move with ten viewers: for programs and for pages, with one table and with many."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tools.bench import bare
from tools.bench.house import House, quantile, row
from tools.bench.tables import VIEWERS, Room, Viewer

WARM = 2.0
"""Seconds of warm-up. Templates and statements are prepared on first use."""
YARDSTICK = 3.0
"""Seconds to measure the bare server, before and after each row."""
COLUMNS = ("moves/s", "own p50/p99", "CPU s/1000", "x bare", "bytes/viewer", "frames/viewer")


async def measure(
    house: House, what: str, kind: type[Viewer], tables: Sequence[int], seconds: float
) -> None:
    """Measure each of these numbers of tables, with ten viewers of this kind at each table."""
    row(f"Mia, {what}, ten viewers, {house.database}", *COLUMNS)
    for count in tables:
        rooms = await opened(house, kind, count)
        await figures(house, rooms, seconds, f"  {count} tables")
        await asyncio.gather(*(room.close() for room in rooms))


async def opened(house: House, kind: type[Viewer], count: int) -> list[Room]:
    """Open rooms with all viewers, and start their matches."""
    sessions = house.log_in(count * VIEWERS)
    rooms = [Room(house, kind, sessions[at * VIEWERS :][:VIEWERS]) for at in range(count)]
    for room in rooms:
        await room.open()
    return rooms


async def figures(house: House, rooms: list[Room], seconds: float, name: str) -> None:
    """Let all tables play for some seconds, and print one row of the report."""
    await asyncio.gather(*(room.play(WARM) for room in rooms))
    before = await bare.measure(YARDSTICK)
    cpu, stored = house.cpu(), house.moves()
    await asyncio.gather(*(room.play(seconds) for room in rooms))
    used, moves = house.cpu() - cpu, house.moves() - stored
    shown = max(1, moves - sum(room.behind for room in rooms))
    yardstick = (before + await bare.measure(YARDSTICK)) / 2
    own = [took * 1000 for room in rooms for took in room.counted.own]
    cost = used * 1000 / shown
    row(
        name,
        f"{shown / seconds:.0f}",
        f"{quantile(own, 0.5):.0f}/{quantile(own, 0.99):.0f} ms",
        f"{cost:.2f}",
        f"{cost / yardstick:.1f}",
        f"{sum(room.counted.size for room in rooms) / shown / VIEWERS:.0f}",
        f"{sum(room.counted.frames for room in rooms) / shown / VIEWERS:.1f}",
    )
