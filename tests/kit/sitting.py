"""Pages of players with an open question, before and after a short outage of their server."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import open_table, start, until_mine

BACK = 60_000
"""Maximum milliseconds for a page on a busy machine. One or two thousand are usual."""


def sit_down(browser: Browser, url: str, game: str) -> Page:
    """Seat a user at a table with bots, and wait for a question to that user."""
    page = browser.new_context(base_url=url).new_page()
    page.set_default_timeout(BACK)
    open_table(page, "Ann", game, bots=4, pace="none")
    start(page)
    until_mine(page)
    return page


def own(page: Page) -> tuple[str, str]:
    """Return the secrets that only this player sees, and the question put to them."""
    return page.locator("#hand").inner_text(), page.locator("#status").inner_text()


def is_back(page: Page) -> None:
    """Check that the connection is back, with the secret and the question."""
    expect(page.locator("#offline")).to_be_hidden(timeout=BACK)
    expect(page.locator("#status.mine")).to_be_visible(timeout=BACK)
    expect(page.locator("#hand")).not_to_be_empty(timeout=BACK)
