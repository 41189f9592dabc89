"""Cost of joining a table and staying there: processor time, and memory while idle."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any

from tools.bench.house import House, row
from tools.bench.plan import Plan
from tools.bench.rooms import opened
from tools.bench.tables import Program, Room

TIMES = 200
SOCKET = re.compile(r'hx-ws:connect="(/ws/table/[^"]+)"')


async def measure(house: House, plan: Plan) -> None:
    """Measure sockets of programs, pages, and sockets of pages, for ten people at one table."""
    row(f"Coming, {house.database}", "CPU ms", "KB idle")
    (room,) = await opened(house, Program, 1)
    people = room.people
    await _row(house, "  program, a stranger", lambda at: room.connect("/api/ws/"))
    ten = len(people)
    await _row(house, "  program, logged in", lambda at: room.connect("/api/ws/", people[at % ten]))
    await _row(house, "  page, loaded", lambda at: _loaded(room, people[at % ten]))
    await _row(house, "  page and its socket", lambda at: _page_socket(room, people[at % ten]))
    await room.close()


async def _row(house: House, name: str, come: Callable[[int], Awaitable[Any]]) -> None:
    for at in range(20):
        await _gone(await come(at))
    await asyncio.sleep(1)
    cpu, memory = house.cpu(), house.memory()
    there = [await come(at) for at in range(TIMES)]
    await asyncio.sleep(1)
    used, held = house.cpu() - cpu, house.memory() - memory
    row(name, f"{used * 1000 / TIMES:.1f}", f"{held / 1024 / TIMES:.0f}" if there[0] else "")
    for one in there:
        await _gone(one)


async def _gone(socket: Any) -> None:
    if socket is not None:
        await socket.close()


async def _page_socket(room: Room, session: str) -> Any:
    """Load a page and open its socket like a browser, with the parameters from the page."""
    address = SOCKET.search((await _get(room, session)).decode())
    assert address is not None
    return await room.connect(unescape(address[1]), session)


async def _loaded(room: Room, session: str) -> None:
    await _get(room, session)


async def _get(room: Room, session: str) -> bytes:
    port = room.house.served.port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"GET /t/{room.code}/ HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    writer.write("\r\n".join([*lines, f"Cookie: sessionid={session}", "", ""]).encode())
    page = await reader.read()
    writer.close()
    return page
