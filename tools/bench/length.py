"""Whether a move costs more the longer its match has been going on."""

from __future__ import annotations

import asyncio

from tools.bench.house import House, row
from tools.bench.plan import Plan
from tools.bench.rooms import COLUMNS, figures, opened
from tools.bench.tables import Program

ACTS = (50, 500, 2000)


async def measure(house: House, plan: Plan) -> None:
    """One table whose match has so many acts behind it. Matches end meanwhile and others begin:
    only what is measured within a short time is about the long one."""
    row(f"Mia, JSON, length of the match, {house.database}", *COLUMNS)
    for acts in ACTS:
        (room,) = await opened(house, Program, 1)
        await asyncio.to_thread(house.lengthen, room.code, acts)
        await figures(house, [room], min(plan.seconds, 3.0), f"  {acts} acts")
        await room.close()
