"""People and their tables in browsers: led back to them, asked to come, sent away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, SMALLEST, open_table, start, until_mine
from tests.browser.test_accounts import fill_in, is_in, log_in
from tests.browser.test_looks import look

People = Callable[..., Page]


def register(page: Page, name: str) -> None:
    """Somebody with an account, logged in."""
    page.goto("/account/signup/")
    fill_in(page, name)
    is_in(page)


def test_a_returning_player_finds_the_table_on_a_second_device_by_the_badge(
    person: People,
) -> None:
    first, second = person(DESKTOP), person(PHONE)
    register(first, "Rita")
    code = open_table(first, "Rita", bots=1, lives="5")
    start(first)
    until_mine(first)
    first.context.close()
    second.goto("/account/login/?next=/rules/mia/")
    log_in(second, "Rita")
    second.wait_for_url("**/rules/mia/")
    expect(second.locator("#badge")).to_have_text("Your turn: Mia")
    expect(second).to_have_title("(1) Rules of Mia")
    second.click("#badge")
    second.wait_for_url(f"**/t/{code}/")
    expect(second.locator(".seat.you .name")).to_have_text("Rita")
    expect(second.locator("#badge")).to_be_hidden()


def test_the_badge_follows_the_turn_while_another_page_is_open(person: People) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", bots=1, lives="5")
    start(page)
    until_mine(page)
    decks = page.context.new_page()
    decks.goto("/decks/")
    expect(decks.locator("#badge")).to_have_text("Your turn: Mia")
    page.locator(".act-roll button").click()
    expect(page.locator("#hand")).to_be_visible()
    decks.keyboard.press("Tab")
    for _ in range(6):
        if decks.evaluate("document.activeElement.id") == "badge":
            break
        decks.keyboard.press("Tab")
    decks.keyboard.press("Enter")
    decks.wait_for_url("**/t/*/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [SMALLEST, PHONE, DESKTOP], ids=["320", "390", "desktop"])
def test_the_pages_of_ones_tables_are_clean(
    person: People, viewport: dict[str, int], scheme: str
) -> None:
    page = person(viewport, color_scheme=scheme)
    open_table(page, "Ann", bots=2)
    start(page)
    for address in ("/tables/", "/", "/rules/mia/"):
        page.goto(address)
        expect(page.locator("#badge")).to_be_visible()
        look(page)
