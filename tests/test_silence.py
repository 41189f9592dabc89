"""How soon a player whose connection is silent is shown as away, and heartbeats to pages."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from games.runtime.uvicorn_server import options
from games.sockets.connections import HEARTBEAT, Heartbeats
from games.sockets.hub import SHOWN_AWAY_AFTER
from games.sockets.outbox import WRITE
from tests.kit.waiting import wait_for_async


@pytest.mark.parametrize("heartbeat", [12.0, 20.0, 60.0])
def test_silent_player_is_shown_as_away_within_two_heartbeats(
    settings: Any, heartbeat: float
) -> None:
    settings.HEARTBEAT_SECONDS = heartbeat
    served = options()
    waits = served["ws_ping_interval"] + served["ws_ping_timeout"] + SHOWN_AWAY_AFTER
    assert waits == 2 * heartbeat


def test_short_heartbeats_leave_a_slow_phone_time_to_answer(settings: Any) -> None:
    settings.HEARTBEAT_SECONDS = 0.25
    served = options()
    assert (served["ws_ping_interval"], served["ws_ping_timeout"]) == (8.0, 8.0)


class OpenPage:
    """A page that counts its heartbeats. Its server may write at once, or only later."""

    def __init__(self, heard: Counter[Any], writes: bool | None) -> None:
        self.heard, self.writes = heard, writes
        self.scope = {"extensions": {} if writes is None else {WRITE: self.write}}
        self.may_go_on = asyncio.Event()

    def write(self, frames: tuple[str, ...]) -> bool:
        self.heard[self] += frames == (HEARTBEAT,) and self.writes is True
        return self.writes is True

    async def send(self, text_data: str) -> None:
        await self.may_go_on.wait()
        self.heard[self] += text_data == HEARTBEAT


@pytest.mark.parametrize("writes", [True, False, None])
async def test_one_task_sends_the_heartbeats_of_all_pages(
    settings: Any, writes: bool | None
) -> None:
    settings.HEARTBEAT_SECONDS = 0.02
    heard = Counter[Any]()
    pages: list[Any] = [OpenPage(heard, writes) for _ in range(100)]
    heartbeats, before = Heartbeats(), len(asyncio.all_tasks())
    for page in pages:
        heartbeats.start(page)
    assert len(asyncio.all_tasks()) == before + 1
    closed, slow, *others = pages
    heartbeats.stop(closed)
    for page in others:
        page.may_go_on.set()
    await wait_for_async(lambda: all(heard[page] >= 2 for page in others))
    assert not heard[closed]
    assert (heard[slow] > 0) == (writes is True)  # no second one waits behind the first
    assert len(asyncio.all_tasks()) <= before + 1 + (writes is not True) * len(pages)

    for page in pages:
        heartbeats.stop(page)
    await wait_for_async(lambda: len(asyncio.all_tasks()) == before)


async def test_page_that_fails_does_not_silence_the_others(settings: Any) -> None:
    """The next heartbeat of each page is sent even if this one fails in an unexpected way."""
    settings.HEARTBEAT_SECONDS = 0.02
    heard, failed = Counter[Any](), Counter[str]()

    def fail_to_write(frames: tuple[str, ...]) -> bool:
        failed["write"] += 1
        raise ValueError

    async def fail_to_send(text_data: str) -> None:
        failed["send"] += 1
        raise ValueError

    unwritable, unsendable, sound = pages = [
        OpenPage(heard, writes) for writes in (True, None, True)
    ]
    unwritable.scope["extensions"][WRITE] = fail_to_write
    unsendable.send = fail_to_send
    heartbeats = Heartbeats()
    for page in pages:
        heartbeats.start(page)
    await wait_for_async(lambda: heard[sound] >= 2 <= min(failed["write"], failed["send"]))

    for page in pages:
        heartbeats.stop(page)
