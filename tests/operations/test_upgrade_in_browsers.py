"""An upgrade and a rolling restart while players have their cards open in real browsers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chaos.world import World
from tests.kit.browser import act_and_wait, until_mine
from tests.kit.served import Served
from tests.kit.sitting import is_back, own, sit_down
from tests.kit.upgrading import put_previous, put_this
from tests.kit.waiting import wait_for


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The previous version with two workers, in a separate folder."""
    made = World("workers")
    (server,) = made.servers
    server.root = put_previous(tmp_path)
    server.manage("prepare")
    server.start()
    yield made
    made.close()


def goes_on(page: Page) -> None:
    """Check that an answer is accepted, and that the next question reaches this player."""
    assert act_and_wait(page)
    until_mine(page)


@pytest.mark.long
def test_pages_survive_an_upgrade_and_a_rolling_restart(world: World, browser: Browser) -> None:
    (server,) = world.servers
    people = [sit_down(browser, server.url, game) for game in ("secret_hitler", "cards")]
    put_this(server.root)
    server.manage("prepare")
    server.stop()
    server.start()
    for page in people:
        is_back(page)
        goes_on(page)
    before = [own(page) for page in people]
    roll(server)
    for page, seen in zip(people, before, strict=True):
        is_back(page)
        assert own(page) == seen
        goes_on(page)
        page.context.close()
    assert not world.log_problems()
    assert not world.tracebacks()


def roll(server: Served) -> None:
    """Replace each worker by a new process."""
    assert server.process is not None
    old = set(server.workers())
    os.kill(server.process.pid, signal.SIGHUP)
    wait_for(lambda: len(server.workers()) == 2 and not old & set(server.workers()))
