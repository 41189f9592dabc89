"""The client library looks for a quick match, and plays it."""

from __future__ import annotations

import asyncio

from parlour_client import Client, Json
from tests.kit.served import Served


async def test_two_clients_find_each_other_and_play(server: Served) -> None:
    async def play(name: str) -> tuple[str, Json]:
        async with Client(server.url) as client:
            code = await client.seek("mia", name, programs=True, seats=[2, 2])
            return code, await client.play(lambda decision: decision.random())

    (one, outcome), (two, same) = await asyncio.gather(play("Nora"), play("Olaf"))
    assert one == two
    assert outcome == same
    assert {"Nora", "Olaf"} == {name for place in outcome["places"] for name in place}


async def test_cancelled_task_stops_waiting(server: Served) -> None:
    async with Client(server.url) as client, Client(server.url) as other:
        await client.request("Seek", game="secret_hitler", username="Pia", programs=True)
        asking = asyncio.create_task(other.seek("secret_hitler", "Quin", programs=True))
        await _heard(client, 2)
        asking.cancel()
        await asyncio.wait([asking])
        await _heard(client, 1)


async def _heard(client: Client, waiting: int) -> None:
    async for packet in client:
        if packet["type"] == "Seeking" and packet["waiting"] == waiting:
            return
