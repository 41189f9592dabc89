"""The server is killed in the middle of a match, and the page reconnects by itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import open_table, play_on, start, until_mine
from tests.kit.served import Served


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path, BOT_DELAY="0.05", WS_BURST="0")
    server.prepare()
    server.start()
    yield server
    server.stop()


def test_a_browser_comes_back_by_itself(house: Served, browser: Browser) -> None:
    context = browser.new_context(base_url=house.url)
    page = context.new_page()
    page.set_default_timeout(30000)
    open_table(page, "Ann", bots=2, lives="5")
    start(page)
    until_mine(page)
    house.stop(signal.SIGKILL)
    expect(page.locator("#offline")).to_be_visible()
    house.start()
    expect(page.locator("#offline")).to_be_hidden(timeout=30000)
    play_on(page)
    expect(page.locator("#ending .end")).to_be_visible()
    context.close()
