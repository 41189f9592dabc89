"""The size of tap targets at a table. test_stage_*.py checks those of faces."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, SMALLEST, open_table, start
from tests.kit.stage import unseen

People = Callable[..., Page]


def test_all_of_a_seat_leads_to_who_sits_there(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "mia", bots=2)
    start(page)
    page.locator(".seat", has_text="Bela").locator(".lives").click()
    expect(page.get_by_role("dialog", name="Bela")).to_be_visible()


def test_the_code_of_a_table_is_in_sight_beside_its_picture(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "coup", bots=3)
    assert not unseen(page, ".welcome code", ".welcome .qr", ".welcome [data-copy]")
