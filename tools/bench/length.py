"""Cost of a move depending on the length of its match."""

from __future__ import annotations

import asyncio

from tools.bench.house import House, row
from tools.bench.plan import Plan
from tools.bench.rooms import COLUMNS, figures, opened
from tools.bench.tables import Program

ACTS = (50, 500, 2000)


async def measure(house: House, plan: Plan) -> None:
    """Measure one table after 50, 500 and 2,000 acts.

    Measurements are short, because the long match may end and a new one begin.
    """
    row(f"Mia, JSON, length of the match, {house.database}", *COLUMNS)
    for acts in ACTS:
        (room,) = await opened(house, Program, 1)
        await asyncio.to_thread(house.lengthen, room.code, acts)
        await figures(house, [room], min(plan.seconds, 3.0), f"  {acts} acts")
        await room.close()
