"""What a move costs: shown to ten viewers, by programs and by pages, from one table to many."""

from __future__ import annotations

import asyncio

from bench import bare
from bench.house import House, quantile, row
from bench.tables import VIEWERS, Page, Program, Room, Viewer

TABLES = (1, 4)
WARM = 2.0
"""Seconds in which everything is done for the first time: templates, plans of statements."""


async def json(house: House, seconds: float) -> None:
    """By programs."""
    await _measure(house, seconds, Program, "JSON")


async def pages(house: House, seconds: float) -> None:
    """By pages."""
    await _measure(house, seconds, Page, "pages")


async def _measure(house: House, seconds: float, kind: type[Viewer], name: str) -> None:
    columns = ("moves/s", "own p50/p99", "CPU s/1000", "x bare", "bytes/viewer", "frames/viewer")
    row(f"Mia, {name}, ten viewers, SQLite", *columns)
    for count in TABLES:
        yardstick = await bare.measure(min(seconds, 4.0))
        sessions = house.log_in(count * VIEWERS)
        rooms = [Room(house, kind, sessions[at * VIEWERS :][:VIEWERS]) for at in range(count)]
        await asyncio.gather(*(room.open() for room in rooms))
        await asyncio.gather(*(room.play(WARM) for room in rooms))
        cpu, before = house.cpu(), house.moves()
        await asyncio.gather(*(room.play(seconds) for room in rooms))
        used, moves = house.cpu() - cpu, max(1, house.moves() - before)
        own = [took * 1000 for room in rooms for took in room.counted.own]
        shown = moves * VIEWERS
        row(
            f"  {count} tables",
            f"{moves / seconds:.0f}",
            f"{quantile(own, 0.5):.0f}/{quantile(own, 0.99):.0f} ms",
            f"{used * 1000 / moves:.2f}",
            f"{used * 1000 / moves / yardstick:.1f}",
            f"{sum(room.counted.size for room in rooms) / shown:.0f}",
            f"{sum(room.counted.frames for room in rooms) / shown:.1f}",
        )
        await asyncio.gather(*(room.close() for room in rooms))
    row("", f"(a bare server: {yardstick:.2f} CPU s for 1,000 requests, ten frames each)")
