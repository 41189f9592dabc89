"""Two server processes on one PostgreSQL and one Redis agree on every move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.chaos.world import World

pytestmark = pytest.mark.slow

Json = dict[str, Any]
WAIT = 60


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World("postgres")
    made.start()
    yield made
    made.close()


class Line:
    """A connection to one of the processes. It keeps every packet that it receives."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.heard = socket, list[Json]()

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def until(self, found: Callable[[Json], bool]) -> Json:
        """Return the newest packet that matches `found`, and wait for one if there is none."""
        while not (matching := [packet for packet in self.heard if found(packet)]):
            text = await asyncio.wait_for(self.socket.recv(), WAIT)
            self.heard.append(json.loads(text))
        return matching[-1]

    async def asked(self, move: str) -> Json:
        """Wait for a `GameDataSync` that offers this move to this user. Return its data."""
        packet = await self.until(lambda p: p["type"] == "GameDataSync" and _offers(p, move))
        return packet["data"]

    async def answer(self, id_: int) -> Json:
        return await self.until(lambda packet: packet.get("id") == id_)


def _offers(packet: Json, move: str) -> bool:
    return any(offer["move"] == move for offer in packet["data"]["offers"])


async def seated(world: World, name: str, room: str | None, stack: AsyncExitStack) -> list[Line]:
    """Seat a user with a connection to each process at this table of Mia, or at a new one."""
    urls = [f"ws://127.0.0.1:{server.port}/api/ws/" for server in world.servers]
    lines = [Line(await stack.enter_async_context(connect(url))) for url in urls]
    if room is None:
        await lines[0].say("HostGame", id=1, game="mia", username=name, options={"pace": "none"})
    else:
        await lines[0].say("JoinGame", id=1, room=room, username=name)
    entered = await lines[0].answer(1)
    await lines[1].say("JoinGame", id=1, room=entered["room"], token=entered["token"])
    assert (await lines[1].answer(1))["type"] == "GameRejoined"
    return lines


async def both(lines: list[Line], first: Json, second: Json) -> list[Json]:
    """Send one packet to each process at the same time. Return both answers."""
    packets = zip(lines, (first, second), strict=True)
    await asyncio.gather(*(line.say(**packet) for line, packet in packets))
    return [await line.answer(first["id"]) for line in lines]


async def test_exactly_one_of_two_racing_moves_is_executed(world: World) -> None:
    async with AsyncExitStack() as stack:
        ann = await seated(world, "ann", None, stack)
        code = (await ann[0].answer(1))["room"]
        bob = await seated(world, "bob", code, stack)
        await ann[0].say("StartGame")
        started = await ann[0].until(lambda packet: packet["type"] == "TurnStart")
        mover = {"ann": ann, "bob": bob}[started["username"]]

        here, there = [await line.asked("Roll") for line in mover]
        assert (here["version"], here["view"]) == (there["version"], there["view"])
        roll = {"kind": "Roll", "prompt": here["prompt"], "id": 77}
        first, second = await both(mover, roll, roll)
        assert first["type"] == second["type"] == "Done"  # the second is accepted as a repeat
        assert first["version"] == second["version"]

        here, _ = [await line.asked("Announce") for line in mover]
        values = here["offers"][0]["args"]["dice"]["oneOf"]
        announce = {"kind": "Announce", "prompt": here["prompt"], "id": 78}
        answers = await both(mover, announce | {"dice": values[0]}, announce | {"dice": values[-1]})
        assert sorted(answer["type"] for answer in answers) == ["ActionFailed", "Done"]
        assert {answer.get("code") for answer in answers} == {None, "stale"}


async def table_of(world: World, stack: AsyncExitStack, *names: str) -> list[list[Line]]:
    """Seat these users at a table, the first as host. Each connects to both processes."""
    first = await seated(world, names[0], None, stack)
    code = (await first[0].answer(1))["room"]
    people = [first, *[await seated(world, name, code, stack) for name in names[1:]]]
    for line in (line for lines in people for line in lines):
        await line.until(lambda packet: packet["type"] == "GameDataSync")  # later reads begin here
    return people


async def screen(world: World, at: int, code: str, stack: AsyncExitStack) -> ClientConnection:
    """A big screen of a table, connected to this process."""
    server = world.servers[at]
    url = f"ws://127.0.0.1:{server.port}/ws/screen/{code}/"
    return await stack.enter_async_context(connect(url, origin=Origin(server.url), max_size=None))


async def test_vote_across_two_processes_changes_the_game_for_everybody(world: World) -> None:
    async with AsyncExitStack() as stack:
        ann, bob, cleo = await table_of(world, stack, "ann", "bob", "cleo")
        code = (await ann[0].answer(1))["room"]
        screens = [await screen(world, at, code, stack) for at in range(2)]
        await bob[0].say("CallVote", id=5, about="game", game="coup")
        assert (await bob[0].answer(5))["type"] == "Done"
        await cleo[1].until(lambda packet: packet["type"] == "VoteCalled")
        await cleo[1].say("CastVote", id=6, yes=True)
        assert (await cleo[1].answer(6))["type"] == "Done"
        for line in (*ann, *bob, *cleo):
            await line.until(lambda packet: packet["type"] == "GameSet")
        for shown in screens:
            while 'data-name="Iron Throne"' not in str(await asyncio.wait_for(shown.recv(), WAIT)):
                pass


async def test_second_of_two_concurrent_game_choices_is_rejected(world: World) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await table_of(world, stack, "ann", "bob")
        choose = {"kind": "SetGame", "id": 5, "instead": "mia"}
        answers = await both(ann, choose | {"game": "coup"}, choose | {"game": "chamber"})
        assert sorted(answer["type"] for answer in answers) == ["ActionFailed", "Done"]
        assert {answer.get("code") for answer in answers} == {None, "chosen_already"}
        for line in (*ann, *bob):
            await line.until(lambda packet: packet["type"] == "GameSet")
