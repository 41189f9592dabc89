"""Rounds of Mia over UDP per second, with early start; each is on disk before its score."""

from __future__ import annotations

import asyncio
from typing import cast

from examples.mia_udp_bot import Player
from tools.bench.house import House, row
from tools.bench.plan import Plan


class Bot(asyncio.DatagramProtocol):
    """Plays like the example."""

    def __init__(self, name: str) -> None:
        self.name, self.rounds, self.mind = name, 0, Player()
        self.transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.DatagramTransport, transport)
        self.transport.sendto(f"REGISTER;{self.name}".encode())

    def datagram_received(self, data: bytes, addr: object) -> None:
        line = data.decode()
        self.rounds += line.startswith("SCORE")
        if reply := self.mind.answer(line):
            assert self.transport is not None
            self.transport.sendto(reply.encode())


async def measure(house: House, plan: Plan) -> None:
    """Measure with 2 and with 20 bots."""
    loop, seconds = asyncio.get_running_loop(), plan.seconds
    bots: list[Bot] = []
    row(f"Mia over UDP, early start, {house.database}", "rounds/s", "CPU ms/round")
    for count in (2, 20):
        while len(bots) < count:
            where = ("127.0.0.1" if len(bots) < 16 else "127.0.0.2", 0)
            _, bot = await loop.create_datagram_endpoint(
                lambda: Bot(f"bot{len(bots)}"),
                local_addr=where,
                remote_addr=("127.0.0.1", house.udp_port),
            )
            bots.append(bot)
        await asyncio.sleep(1)
        before, cpu = bots[0].rounds, house.cpu()
        await asyncio.sleep(seconds)
        rounds = bots[0].rounds - before
        used = (house.cpu() - cpu) * 1000 / max(1, rounds)
        row(f"  {count} bots", f"{rounds / seconds:.0f}", f"{used:.1f}")
    for bot in bots:
        assert bot.transport is not None
        bot.transport.close()
