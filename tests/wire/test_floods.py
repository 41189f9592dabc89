"""A client that sends too many frames is disconnected."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.asgi import application
from games.sockets import api
from tests.kit.client import Program
from tests.kit.page_socket import Connection

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _limits(settings: Any) -> None:
    settings.WS_BURST, settings.WS_RATE = 40, 0.01  # no refill, even on a machine that stalls


async def test_flooding_program_is_disconnected_and_its_last_frames_are_dropped(
    monkeypatch: Any,
) -> None:
    handled = 0
    obey = api.obey

    async def counted(*args: Any) -> Any:
        nonlocal handled
        handled += 1
        return await obey(*args)

    async with Program() as ann:
        await ann.host()
        monkeypatch.setattr(api, "obey", counted)
        for _ in range(100):
            await ann.raw('{"type":"GameDataRequest"}')
        assert await ann.closing() == 4008
        assert handled < 80


async def test_commands_are_executed_even_if_the_program_disconnects_at_once(
    monkeypatch: Any,
) -> None:
    begun, may_go_on, done = asyncio.Event(), asyncio.Event(), list[str]()
    obey = api.obey

    async def obey_later(client: Any, packet: Any) -> Any:
        begun.set()
        await may_go_on.wait()
        done.append(type(packet).__name__)
        return await obey(client, packet)

    async with Program() as ann:
        await ann.host()
        monkeypatch.setattr(api, "obey", obey_later)
        await ann.raw('{"type":"GameDataRequest"}')
        await ann.raw('{"type":"SendNewChatMessage","message":"Bye!"}')
        await asyncio.wait_for(begun.wait(), 20)
        asyncio.get_running_loop().call_later(0.1, may_go_on.set)
    assert done == ["GameDataRequest", "SendNewChatMessage"]


@pytest.mark.parametrize("path", ["/ws/lobby/"])
async def test_flooding_a_listen_only_socket_closes_it(path: str) -> None:
    origin = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = Connection(application, path, headers=origin)
    assert (await socket.connect())[0]
    for _ in range(100):
        await socket.send_to(text_data="x")
    while (output := await socket.receive_output())["type"] != "websocket.close":
        pass
    assert output["code"] == 4008
    await socket.disconnect()
