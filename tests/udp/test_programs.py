"""A WebSocket program at the table of UDP programs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from games.models import Room, UdpRound
from games.sockets.hub import close_hub
from games.udp.server import UdpServer
from tests.kit.client import Program
from tests.kit.udp import Player


@pytest.fixture(autouse=True)
async def _close_hub(settings: Any) -> AsyncIterator[None]:
    settings.WS_BURST = 0
    yield
    await close_hub()


async def test_json_program_can_play_and_another_can_watch(
    serve: Callable[..., UdpServer], player: Callable[[str], Player]
) -> None:
    serve()
    one, _two = player("one"), player("two")
    room = await Room.objects.aget(udp_round__isnull=False)
    async with Program() as ann, Program() as eve:
        await eve.join(room.code, "eve", spectate=True)
        assert eve.data["allowsUdp"] is True
        await ann.join(room.code, "ann")
        for _ in range(3):
            while ann.data["status"] != "playing":
                await ann.until("GameDataSync")
            await ann.play()
        end = await ann.had("GameEnd")
        assert end["fairness"]["serverSeed"]
        while not any(p["type"] == "GameEnd" for p in eve.packets):
            await eve.read()
    played = [r async for r in UdpRound.objects.filter(match__isnull=False)]
    assert len(played) >= 3
    assert all("ann" in r.order for r in played)
    assert "Rolled" not in eve.kinds()
    assert any("ann" in score for score in one.scores)
