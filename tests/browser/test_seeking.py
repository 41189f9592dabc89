"""Quick match in browsers: two phones find each other by one tap each, and nobody waits alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browser import DESKTOP, PHONE, SMALLEST, look_all_round

People = Callable[..., Page]
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
TABLE = re.compile(r"/t/[A-Z0-9]{5}/")


def come(page: Page, name: str, game: str) -> None:
    """Enter a name on the front page, and tap the poster of a game once."""
    page.goto("/")
    page.fill("#play-name", name)
    page.click(f"#seek-{game}")


def test_two_phones_find_each_other_by_one_tap_each_and_play(person: People) -> None:
    ann, bob = person(PHONE), person(PHONE)
    come(ann, "Ann", "mia")
    expect(ann.locator("#seek")).to_contain_text("Nobody else is looking")
    come(bob, "Bob", "mia")
    expect(ann.locator("#seek")).to_contain_text("Bob")
    expect(ann.locator("#seek")).to_contain_text("Enough players are here.")
    for page in (ann, bob):
        page.wait_for_url(TABLE, timeout=60_000)
        page.wait_for_selector("#seats .seat", timeout=60_000)
    assert ann.url == bob.url
    for page in (ann, bob):
        for name in ("Ann", "Bob"):
            expect(page.locator("#seats")).to_contain_text(name)
        expect(page.locator("#badge")).not_to_contain_text("Players found")


@pytest.mark.slow
def test_lone_user_plays_with_bots_and_is_taken_to_the_table_from_there(person: People) -> None:
    ann, bob = person(PHONE), person(PHONE)
    come(ann, "Cleo", "coup")
    expect(ann.locator("#seek")).to_contain_text("Nobody else is looking")
    ann.reload()
    ann.get_by_role("button", name="Play with bots while you wait").click()
    ann.wait_for_url(TABLE)
    ann.wait_for_selector("#seats .seat")
    with_bots = ann.url
    come(bob, "Dora", "coup")
    ann.wait_for_function("url => location.href !== url", arg=with_bots, timeout=60_000)
    bob.wait_for_url(TABLE, timeout=60_000)
    ann.wait_for_selector("#seats .seat", timeout=60_000)
    assert ann.url == bob.url


@pytest.mark.slow
def test_page_of_a_search_passes_layout_and_accessibility_checks(person: People) -> None:
    ann, bob = person(), person()
    come(ann, "Fay with a long name", "secret_hitler")
    come(bob, "Gus", "secret_hitler")
    expect(bob.locator("#seek")).to_contain_text("2 of 5 players are here.")
    look_all_round(bob, (DESKTOP, PHONE, SMALLEST, LANDSCAPE))
