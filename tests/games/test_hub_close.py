"""The hub stops even if its tasks ignore cancellation."""

from __future__ import annotations

import asyncio

import pytest

from games.sockets import hub as hubs


async def test_task_that_ignores_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "CANCELLED_AGAIN", 0.01)
    cancelled = 0

    async def deaf() -> None:
        nonlocal cancelled
        while cancelled < 2:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled += 1

    hub = hubs.hub()
    hub._keep(deaf())
    await asyncio.sleep(0)
    await hubs.close_hub()
    assert cancelled == 2
