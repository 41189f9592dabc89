"""Two server processes on one PostgreSQL and one Redis agree on every move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.chaos.world import World

Json = dict[str, Any]
WAIT = 60


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World("postgres")
    made.start()
    yield made
    made.close()


class Person:
    """Somebody with a connection to each of the two processes."""

    def __init__(self, name: str, sockets: list[ClientConnection]) -> None:
        self.name, self.sockets = name, sockets

    async def say_first(self, kind: str, **fields: Any) -> None:
        await self.sockets[0].send(json.dumps({"type": kind, **fields}))

    async def say_twice(self, first: Json, second: Json) -> list[Json]:
        """Send one packet to each process at once; return both answers."""
        for socket, packet in zip(self.sockets, (first, second), strict=True):
            await socket.send(json.dumps(packet))
        return [await until(socket, "id", first["id"]) for socket in self.sockets]

    async def asked(self) -> list[Json]:
        """Wait until both processes show this person a question; return both syncs' data."""
        return [(await until(socket, "offers"))["data"] for socket in self.sockets]


async def until(socket: ClientConnection, wanted: str, id_: int | None = None) -> Json:
    """Read up to a packet of this type, a sync with offers, or the answer of this id."""
    while True:
        packet: Json = json.loads(await asyncio.wait_for(socket.recv(), WAIT))
        offered = packet["type"] == "GameDataSync" and packet["data"]["offers"]
        if packet["type"] == wanted or (wanted == "offers" and offered):
            return packet
        if wanted == "id" and packet.get("id") == id_:
            return packet


async def test_of_moves_that_race_exactly_one_is_made(world: World) -> None:
    async with AsyncExitStack() as open_sockets:
        people = {}
        for name in ("ann", "bob"):
            urls = [f"ws://127.0.0.1:{server.port}/api/ws/" for server in world.servers]
            sockets = [await open_sockets.enter_async_context(connect(url)) for url in urls]
            people[name] = Person(name, sockets)
        ann, bob = people.values()
        await ann.say_first("HostGame", game="mia", username="ann", options={"pace": "none"})
        created = await until(ann.sockets[0], "GameCreated")
        room = {"type": "JoinGame", "room": created["room"]}
        await ann.sockets[1].send(json.dumps({**room, "token": created["token"]}))
        await bob.say_first("JoinGame", room=created["room"], username="bob")
        token = (await until(bob.sockets[0], "GameJoined"))["token"]
        await bob.sockets[1].send(json.dumps({**room, "token": token}))
        for socket in (*ann.sockets, *bob.sockets):
            await until(socket, "GameDataSync")
        await ann.say_first("StartGame")
        started = await until(ann.sockets[0], "TurnStart")
        mover = people[started["username"]]

        here, there = await _asked_to(mover, "Roll")
        assert (here["version"], here["view"]) == (there["version"], there["view"])
        roll = {"type": "Roll", "prompt": here["prompt"], "id": 77}
        first, second = await mover.say_twice(roll, roll)
        assert first["type"] == second["type"] == "Done"  # the later one is a repeat
        assert first["version"] == second["version"]

        here, _ = await _asked_to(mover, "Announce")
        values = here["offers"][0]["args"]["dice"]["oneOf"]
        announce = {"type": "Announce", "prompt": here["prompt"], "id": 78}
        answers = await mover.say_twice(
            {**announce, "dice": values[0]}, {**announce, "dice": values[-1]}
        )
        assert sorted(answer["type"] for answer in answers) == ["ActionFailed", "Done"]
        assert {answer.get("code") for answer in answers} == {None, "stale"}


async def _asked_to(person: Person, move: str) -> list[Json]:
    while True:
        shown = await person.asked()
        if all(data["offers"][0]["move"] == move for data in shown):
            return shown
