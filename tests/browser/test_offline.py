"""Without a network, the site shows an offline page, which recovers by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow


def test_visited_site_shows_an_offline_page_without_a_network(person: Callable[..., Page]) -> None:
    page = person(own=True)
    refused = list[str]()
    page.goto("/rules/mia/")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    page.on("console", lambda said: refused.append(said.text) if "Policy" in said.text else None)
    page.context.set_offline(True)
    page.goto("/rules/mia/")
    expect(page.locator("h1")).to_have_text("You may be offline")
    expect(page.locator("body")).to_have_css("display", "grid")
    assert refused == []
    page.context.set_offline(False)
    expect(page.locator("header.top")).to_be_visible(timeout=30_000)
