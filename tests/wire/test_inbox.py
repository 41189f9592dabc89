"""A flood is detected on arrival, not on processing, and no inbox grows without bound."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.asgi import application
from games.sockets import api
from games.sockets.inbox import MOST, Inbox
from tests.kit.client import Program
from tests.kit.page_socket import Connection


@pytest.fixture(autouse=True)
def _limits(settings: Any) -> None:
    settings.WS_BURST, settings.WS_RATE = 40, 20


async def test_a_flood_is_cut_off_while_its_first_frame_is_still_being_handled(
    monkeypatch: Any,
) -> None:
    begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def hang(*args: Any) -> Any:
        begun.set()
        await may_go_on.wait()

    async with Program() as ann:
        await ann.host()
        monkeypatch.setattr(api, "obey", hang)
        await ann.raw('{"type":"GameDataRequest"}')
        await asyncio.wait_for(begun.wait(), 20)
        for _ in range(100):
            await ann.raw('{"type":"GameDataRequest"}')
        assert await ann.closing() == 4008
        assert not may_go_on.is_set()
        may_go_on.set()


async def test_questions_that_wait_are_dropped_once_nobody_reads_the_answers(
    monkeypatch: Any,
) -> None:
    """Commands are executed even if the program disconnects right after sending them."""
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
        for text in ("GameDataRequest", "LogRequest", "GameDataRequest"):
            await ann.raw(f'{{"type":"{text}"}}')
        await ann.raw('{"type":"SendNewChatMessage","message":"Bye!"}')
        await asyncio.wait_for(begun.wait(), 20)
        asyncio.get_running_loop().call_later(0.1, may_go_on.set)
    assert done == ["GameDataRequest", "SendNewChatMessage"]


@pytest.mark.parametrize("path", ["/ws/lobby/"])
async def test_sockets_that_only_listen_are_not_flooded_either(path: str) -> None:
    origin = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = Connection(application, path, headers=origin)
    assert (await socket.connect())[0]
    for _ in range(100):
        await socket.send_to(text_data="x")
    while (output := await socket.receive_output())["type"] != "websocket.close":
        pass
    assert output["code"] == 4008
    await socket.disconnect()


async def test_without_a_limit_who_sends_too_much_waits(settings: Any) -> None:
    settings.WS_RATE = 0
    taken = []

    async def receive() -> dict[str, Any]:
        taken.append(1)
        return {"type": "websocket.receive", "text": "x"}

    inbox = Inbox(lambda: pytest.fail("There is no limit."))
    reading = asyncio.create_task(inbox.read(receive))
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(taken) == MOST + 1
    await inbox.get()
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(taken) == MOST + 2
    reading.cancel()
