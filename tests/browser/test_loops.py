"""Browsers and event loops in one worker work in any order."""

from __future__ import annotations

import asyncio

import pytest
from playwright.sync_api import Browser


def test_a_browser_opens_a_page(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<p>here</p>")
    assert page.inner_text("p") == "here"
    page.close()


def test_no_loop_is_left_running_after_a_test_with_a_browser() -> None:
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


async def test_an_async_test_runs_after_one_with_a_browser() -> None:
    await asyncio.sleep(0)


def test_the_browser_is_still_there_after_an_async_test(browser: Browser) -> None:
    test_a_browser_opens_a_page(browser)
