"""Moves a second over JSON: rooms of Mia with six players and four who watch, in a closed loop."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.house import House, quantile, row

PLAYERS, WATCHERS = 6, 4
OPTIONS = {"lives": 9, "pace": "none", "idleKick": 0}


class Room:
    """One table. Times are those of each move, by version: sent, seen by its mover, by the last."""

    def __init__(self, house: House) -> None:
        self.house, self.code = house, ""
        self.sent: dict[tuple[int, int], float] = {}
        self.own: list[float] = []
        self.last: list[float] = []
        self.seen: dict[tuple[int, int], int] = {}
        self.moves = 0

    async def run(self, ready: asyncio.Barrier, seconds: float) -> None:
        """Seat everybody, waits for the other rooms, plays for so long."""
        async with connect(self.house.ws_url, max_size=None) as host:
            await host.recv()
            options = {"type": "HostGame", "game": "mia", "username": "p0", "options": OPTIONS}
            await host.send(json.dumps(options))
            self.code = (await self._until(host, "GameCreated"))["room"]
            others = [self._other(at, ready, seconds) for at in range(1, PLAYERS + WATCHERS)]
            tasks = [asyncio.create_task(other) for other in others]
            while True:
                data = (await self._until(host, "GameDataSync"))["data"]
                if len(data["players"]) == PLAYERS + WATCHERS:
                    break
            await ready.wait()
            await host.send(json.dumps({"type": "StartGame"}))
            await self._play(host, "p0", seconds)
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _other(self, at: int, ready: asyncio.Barrier, seconds: float) -> None:
        async with connect(self.house.ws_url, max_size=None) as socket:
            await socket.recv()
            joining = {"type": "JoinGame", "room": self.code, "username": f"p{at}"}
            await socket.send(json.dumps({**joining, "spectate": at >= PLAYERS}))
            await ready.wait()
            await self._play(socket, f"p{at}", seconds)

    async def _play(self, socket: ClientConnection, name: str, seconds: float) -> None:
        until = time.monotonic() + seconds
        moved: tuple[int, int] | None = None
        while (left := until - time.monotonic()) > 0:
            try:
                packet = json.loads(await asyncio.wait_for(socket.recv(), left))
            except TimeoutError:
                return
            if packet["type"] == "GameEnd" and name == "p0":
                await socket.send(json.dumps({"type": "StartGame"}))
            if packet["type"] != "GameDataSync":
                continue
            data = packet["data"]
            key = (data["matchId"] or 0, data["version"] or 0)
            self._arrived(key, key == moved)
            if data["offers"]:
                moved = (key[0], key[1] + 1)
                self.sent[moved] = time.monotonic()
                await socket.send(json.dumps(_move(data)))
                self.moves += 1

    def _arrived(self, key: tuple[int, int], mine: bool) -> None:
        if (sent := self.sent.get(key)) is None:
            return
        took = time.monotonic() - sent
        if mine:
            self.own.append(took)
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] == PLAYERS + WATCHERS:
            self.last.append(took)
            del self.sent[key], self.seen[key]

    async def _until(self, socket: ClientConnection, kind: str) -> dict[str, Any]:
        while True:
            packet: dict[str, Any] = json.loads(await socket.recv())
            if packet["type"] == kind:
                return packet


def _move(data: dict[str, Any]) -> dict[str, Any]:
    """A random move, none that is risky while there is another."""
    offers = [offer for offer in data["offers"] if not offer["risky"]] or data["offers"]
    offer = random.choice(offers)
    args = {name: random.choice(of["oneOf"]) for name, of in offer["args"].items()}
    return {"type": offer["move"], "prompt": data["prompt"], **args}


async def measure(house: House, seconds: float) -> None:
    """One room, then four, then sixteen at once."""
    columns = ("moves/s", "own p50/p99", "last p50/p99", "CPU s/1000")
    row(f"Mia over JSON, {PLAYERS} play, {WATCHERS} watch, SQLite", *columns)
    for count in (1, 4, 16):
        before, cpu = house.memory(), 0.0
        ready = asyncio.Barrier(count * (PLAYERS + WATCHERS) + 1)
        rooms = [Room(house) for _ in range(count)]
        running = asyncio.gather(*(room.run(ready, seconds) for room in rooms))
        await ready.wait()
        cpu = house.cpu()
        await running
        moves = sum(room.moves for room in rooms)
        own = [took * 1000 for room in rooms for took in room.own]
        last = [took * 1000 for room in rooms for took in room.last]
        row(
            f"  {count} rooms",
            f"{moves / seconds:.0f}",
            f"{quantile(own, 0.5):.0f}/{quantile(own, 0.99):.0f} ms",
            f"{quantile(last, 0.5):.0f}/{quantile(last, 0.99):.0f} ms",
            f"{(house.cpu() - cpu) * 1000 / max(1, moves):.1f}",
        )
        grown = (house.memory() - before) / (count * (PLAYERS + WATCHERS)) / 1024
        row("", f"{grown:.0f} KiB/socket")
