"""Rooms over the wire: joining, leaving, and permissions."""

from __future__ import annotations

from typing import Any

import pytest

from games.sockets.hub import Hub
from tests.kit.client import Program


async def test_who_is_kicked_on_the_way_in_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        enter = Hub.enter

        async def late(there: Hub, room_id: int, watcher: Any) -> None:
            await ann.ask("KickPlayer", username="bob")
            await enter(there, room_id, watcher)

        monkeypatch.setattr(Hub, "enter", late)
        await bob.ask("JoinGame", room=created["room"], username="bob")
        assert (await bob.until("PlayerLeft"))["reason"] == "kicked"
        assert await bob.closing() == 4003


async def test_a_host_has_at_most_twenty_rooms() -> None:
    async with Program() as first:
        created = await first.host()
    token = {"authorization": f"Bearer {created['token']}"}
    for _ in range(19):
        async with Program(token) as more:
            assert (await more.ask("HostGame", game="mia"))["type"] == "GameCreated"
    async with Program(token) as last:
        assert (await last.ask("HostGame", game="mia"))["code"] == "too_many_rooms"
