"""Rounds of Mia over UDP a second, early start, every round on disk before its score."""

from __future__ import annotations

import asyncio

from bench.house import House, row

PLAIN = [f"{a},{b}" for a in range(3, 7) for b in range(1, a)]
VALUES = [*PLAIN, *(f"{a},{a}" for a in range(1, 7)), "2,1"]


class Bot(asyncio.DatagramProtocol):
    """Tells the truth where it can, and wants to see what is high."""

    def __init__(self, name: str) -> None:
        self.name, self.last, self.rounds, self.points = name, "", 0, 0
        self.transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self._say(f"REGISTER;{self.name}")

    def datagram_received(self, data: bytes, addr: object) -> None:
        match data.decode().split(";"):
            case ["ROUND STARTING", _, token]:
                self.last = ""
                self._say(f"JOIN;{token}")
            case ["ANNOUNCED", _, dice]:
                self.last = dice
            case ["YOUR TURN", token]:
                sees = self.last and VALUES.index(self.last) > 13
                self._say(f"{'SEE' if sees else 'ROLL'};{token}")
            case ["ROLLED", dice, token]:
                least = VALUES.index(self.last) + 1 if self.last else 0
                said = VALUES[max(VALUES.index(dice), min(20, least))]
                self._say(f"ANNOUNCE;{said};{token}")
            case ["SCORE", _]:
                self.rounds += 1
            case _:
                pass

    def _say(self, line: str) -> None:
        assert self.transport is not None
        self.transport.sendto(line.encode())


async def measure(house: House, seconds: float) -> None:
    """Two bots, then eighteen more."""
    loop = asyncio.get_running_loop()
    bots: list[Bot] = []
    row("Mia over UDP, early start", "rounds/s", "CPU ms/round")
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
