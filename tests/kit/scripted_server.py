"""A scripted server for tests of the client: one script per connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve

from parlour_client import Json

WELCOME = {"type": "Welcome", "protocol": 1, "username": None, "games": []}
ROLL = {"move": "Roll", "args": {}, "risky": False}
LIMIT = 30


def sync(prompt: int = 1, offers: Sequence[Json] = (), **data: Any) -> Json:
    given = {
        "game": "mia",
        "you": "bob",
        "matchId": 1,
        "version": 0,
        "prompt": prompt,
        "status": "playing",
        "awaited": ["bob"],
        "offers": list(offers),
        "outcome": None,
        "view": {"phase": "turn"},
    }
    return {"type": "GameDataSync", "data": {**given, **data}}


OVER = sync(status="finished", outcome={"winners": ["bob"]})


class Line:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        assert socket.request is not None
        self.bearer = socket.request.headers.get("Authorization")

    async def put(self, *packets: Json) -> None:
        for packet in packets:
            await self.socket.send(json.dumps(packet))

    async def next(self) -> Json:
        packet: Json = json.loads(await self.socket.recv())
        return packet

    async def get(self, kind: str) -> Json:
        packet = await self.next()
        assert packet["type"] == kind, packet
        return packet

    async def answer(self, kind: str, reply: Json | None = None) -> Json:
        """Read a packet of this type and answer its id."""
        packet = await self.get(kind)
        await self.put({"id": packet["id"], **(reply or {"type": "Done"})})
        return packet

    async def seat(self, *then: Json) -> Json:
        """Welcome a client and let it join."""
        await self.put(WELCOME)
        kind = "GameRejoined" if self.bearer else "GameJoined"
        token = {} if self.bearer else {"token": "secret"}
        joined = {"type": kind, "room": "K7QX2", "username": "bob", **token}
        packet = await self.answer("JoinGame", joined)
        await self.put(*then)
        return packet

    async def break_off(self) -> None:
        """Drop the connection without a close frame, as a killed process would."""
        self.socket.transport.abort()
        await self.socket.wait_closed()


Script = Callable[[Line], Awaitable[None]]


@asynccontextmanager
async def served(*scripts: Script) -> AsyncIterator[str]:
    """Serve one script per connection, in order. A failing script fails the test."""
    coming, failed = iter(scripts), []

    async def handle(socket: ServerConnection) -> None:
        try:
            await next(coming)(Line(socket))
        except AssertionError as error:
            failed.append(error)

    async with serve(handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with asyncio.timeout(LIMIT):
            yield f"http://127.0.0.1:{port}"
    if failed:
        raise failed[0]
