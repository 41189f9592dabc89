"""Rooms over the wire: joining, leaving, permissions."""

from __future__ import annotations

from typing import Any

import pytest

from games.sockets.hub import Hub
from tests.kit.client import Program


async def test_program_kicked_while_joining_is_notified_and_disconnected(
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
