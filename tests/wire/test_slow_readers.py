"""A slow reader costs a bounded amount of memory, and catches up in the end."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from games import rooms
from games.models import Room
from games.sockets import api, outbox, room_socket
from games.sockets.connections import ParlourConsumer
from games.sockets.hub import hub
from games.sockets.room_socket import RoomConsumer
from lobby.consumers import PartsConsumer
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import Connection, cookie_of, socket
from tests.kit.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WS_RATE = 0
    monkeypatch.setattr(outbox, "MARK", 1000)


class Reader:
    """A reader that can stop reading its socket."""

    def __init__(self) -> None:
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.waits: list[Any] = []
        """Sockets waiting for the reader."""

    @contextmanager
    def asleep(self) -> Iterator[None]:
        self.goes_on.clear()
        try:
            yield
        finally:
            self.goes_on.set()

    async def waited_for(self) -> Any:
        """Return the outbox of the first waiting socket."""
        async with asyncio.timeout(PATIENCE):
            while not self.waits:
                await asyncio.sleep(0.01)
        return self.waits[0].outbox


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made, transmit = Reader(), RoomConsumer.transmit

    async def wait(self: Any, frame: str) -> None:
        if not made.goes_on.is_set():
            made.waits.append(self)
            await made.goes_on.wait()
        await transmit(self, frame)

    monkeypatch.setattr(RoomConsumer, "transmit", wait)
    return made


async def test_slow_reader_gets_every_answer_and_one_full_sync(
    monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    async with Program() as ann:
        created = await ann.host()
        room = await Room.objects.aget(code=created["room"])
        asked: list[str] = []
        obey = api.obey

        async def noted(client: Any, packet: Any) -> Any:
            asked.append(type(packet).__name__)
            return await obey(client, packet)

        monkeypatch.setattr(api, "obey", noted)
        with reader.asleep():
            for number in range(20):
                await ann.raw(json.dumps({"type": "GameDataRequest", "id": 100 + number}))
            for number in range(10):
                await rooms.set_options(room.pk, room.host_id, {"lives": 1 + number % 2})
                await _shown(room.pk)
            assert (await reader.waited_for())._bytes < 40_000
            assert len(asked) <= 1, "reading goes on although nothing is read"
        answers = [await ann.until(lambda p, n=100 + n: p.get("id") == n) for n in range(20)]
        assert {one["type"] for one in answers} == {"GameDataSync"}
        assert asked == ["GameDataRequest"] * 20
        missed = [p for p in ann.packets if p.get("missed")]
        assert len(missed) == 1
        assert missed[0]["data"]["options"]["lives"] == 2
        events = [p for p in ann.packets if p["type"] == "OptionsSet"]
        assert len(events) < 10


async def _shown(room_id: int) -> None:
    """Wait until this room's sockets have been shown every change so far."""
    await hub().current(room_id)


@pytest.mark.parametrize("path", ["table", "screen"])
async def test_slow_page_gets_the_whole_table_once_it_reads_again(
    reader: Reader, path: str
) -> None:
    ann = await sync_to_async(PersonFactory)()
    room = await sync_to_async(open_table)(ann)
    page = socket(f"/ws/{path}/{room.code}/", await sync_to_async(cookie_of)(ann))
    assert (await page.connect())[0]
    await page.receive_from()
    with reader.asleep():
        for number in range(10):
            await rooms.set_options(room.pk, ann.pk, {"lives": 1 + number % 2})
            await _shown(room.pk)
        waiting = await reader.waited_for()
        assert waiting._bytes < 100_000
        assert waiting._is_behind
    frames = [frame async for frame in _frames(page)]
    assert 'id="status"' in frames[-1]
    assert "#log-lines" in frames[-1]  # the whole log, which a change of options does not send
    assert len(frames) < 5
    await page.disconnect()


async def _frames(page: Connection) -> AsyncIterator[str]:
    while not await page.receive_nothing(timeout=0.3):
        yield (await page.receive_from(timeout=PATIENCE))


OURS = tuple(name for name in sys.modules if name.startswith(("games.", "lobby.")))


def kinds(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_socket_has_a_bounded_backlog() -> None:
    """A socket either has an outbox and can resend everything, or sends one frame at a time."""
    ours = {kind for kind in kinds(AsyncWebsocketConsumer) if kind.__module__ in OURS}
    assert len(ours) > 5
    for kind in ours - {ParlourConsumer, RoomConsumer}:
        if issubclass(kind, RoomConsumer):
            assert kind.show_whole is not RoomConsumer.show_whole, kind
            assert kind.receive is RoomConsumer.receive, kind
        else:
            assert issubclass(kind, PartsConsumer), kind


async def test_held_frames_are_limited_in_bytes() -> None:
    class Held(RoomConsumer):
        async def handle(self, text: str | None) -> None:
            taken.append(text or "")

    taken: list[str] = []
    held = Held()
    frame = "x" * 10_000
    count = 0
    while held.hold(frame, 60):
        count += 1
    assert count == room_socket.HELD_BYTES // 10_000
    for is_due in held.held.values():
        is_due.set()
    await asyncio.wait(list(held.held))
    await asyncio.sleep(0)
    assert len(taken) == count
    assert held.held_bytes == 0
    assert held.hold(frame, 0)
    await asyncio.wait(list(held.held))
