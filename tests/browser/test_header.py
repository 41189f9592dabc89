"""The header of a table's page, and where guests find the links it leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    PHONE,
    SMALLEST,
    look,
    open_panel,
    open_table,
    start,
    until_mine,
)

People = Callable[..., Page]

DOT = "badge => getComputedStyle(badge, '::before').content"


def test_table_header_has_no_login_links_for_guests(person: People) -> None:
    page = person(PHONE)
    page.goto("/")
    expect(page.locator("header.top")).to_contain_text("Log in")
    code = open_table(page, "Ann")
    expect(page.locator("header .me")).to_have_text("Ann")
    expect(page.locator("header.top")).not_to_contain_text("Log in")
    expect(page.locator("header.top")).not_to_contain_text("Register")
    look(page)
    open_panel(page, "more")
    page.click("text=Keep my name")
    page.wait_for_url(f"**/account/signup/?next=/t/{code}/")


@pytest.mark.slow
def test_only_listed_tables_appear_in_the_list(person: People) -> None:
    page, stranger = person(PHONE), person(PHONE)
    page.goto("/new/mia/")
    expect(page.get_by_label("Anyone with the link")).to_be_checked()
    expect(page.get_by_label("Anyone (listed)")).to_be_visible()
    look(page)
    code = open_table(page, "Ann")
    stranger.goto("/")
    expect(stranger.locator("main")).to_be_visible()
    expect(stranger.locator(f"a[href*='{code}']")).to_have_count(0)
    page.goto("/new/mia/")
    page.get_by_label("Anyone (listed)").check()
    page.click("main button.main")
    page.wait_for_url("**/t/*/")
    public = page.url.rstrip("/").rsplit("/", 1)[-1]
    expect(stranger.locator(f"a[href*='{public}']")).to_have_count(1)


@pytest.mark.slow
def test_badge_for_another_table_fits_in_the_header_on_a_phone(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", bots=1, lives="5", pace="none")
    start(page)
    until_mine(page)
    open_table(page, "Ann", "secret_hitler")
    expect(page.locator("#badge")).to_have_text("Your turn: Mia")
    for width in (SMALLEST, PHONE):
        page.set_viewport_size(width)
        for part in ("h1", ".code", "#badge", "#sound", ".menu"):
            expect(page.locator(f"header {part}")).to_be_in_viewport(ratio=1)
        assert page.locator("header h1").evaluate("one => one.scrollWidth <= one.clientWidth")
        assert page.locator("#badge").evaluate(DOT) == '"1"'
        look(page)


@pytest.mark.slow
def test_header_is_one_line_at_every_width(person: People) -> None:
    page = person()
    open_table(page, "Donaudampfschiffskap", bots=1, lives="5", pace="none")
    start(page)
    until_mine(page)
    page.goto("/league/mia/")
    expect(page.locator("#badge")).to_have_text("Your turn: Mia")
    for width in (320, 390, 768, 800, 844, 1024):
        page.set_viewport_size({"width": width, "height": 640})
        for part in (".brand", "#badge", ".menu"):
            expect(page.locator(f"header {part}")).to_be_in_viewport(ratio=1)
        height = page.locator("header").evaluate("one => one.offsetHeight")
        assert height < 70, width
