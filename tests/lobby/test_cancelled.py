"""If a page closes while a change is being shown, it stays closed."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from lobby import parts


@pytest.mark.parametrize("later", range(6))
async def test_cancelled_wait_ends_even_during_a_change(
    later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "AT_MOST_EVERY", 0)
    page = parts.PageParts(SimpleNamespace(pk=1), "en")

    async def keep_waiting() -> None:
        while True:
            await page.called()

    task = asyncio.create_task(keep_waiting())
    for _ in range(10):
        await asyncio.sleep(0)
    page.call()
    for _ in range(later):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task], timeout=1)
    stopped = task.cancelled()
    while not task.done():  # a second cancellation, in case the first is lost
        task.cancel()
        await asyncio.sleep(0)
    assert stopped
