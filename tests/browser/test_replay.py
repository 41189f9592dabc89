"""A finished match is watched again: by keys, by Play, and on the smallest phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import SMALLEST, open_table, start

pytestmark = pytest.mark.slow

People = Callable[..., Page]

ANSWERS = "document.querySelectorAll('#board li').length"
LAST_SHOWN = """() => {
  const last = [...document.querySelectorAll("#board li")].at(-1);
  if (!last) return true;
  last.scrollIntoView({ block: "end" });
  const scene = document.querySelector(".scene").getBoundingClientRect();
  return !last.closest("[inert]") && last.getBoundingClientRect().bottom <= scene.bottom + 1;
}"""
"""Whether the last answer can be reached by scrolling. Users cannot scroll inert elements."""


def watch_again(page: Page, game: str, bots: int, **options: str) -> int:
    """Let bots play a match, and open its replay. Return the number of its moments."""
    open_table(page, "Ann", game, bots=bots, **options)
    page.get_by_role("button", name="Watch").click()
    start(page)
    page.wait_for_function(
        "() => { document.querySelector('#skip-ahead button')?.click();"
        " return document.querySelector('#ending:not([hidden])'); }"
    )
    page.get_by_role("link", name="Watch it again").click()
    page.wait_for_selector("#play")
    return int(page.get_attribute("#table", "data-last") or 0)


def test_keys_and_play_step_through_a_match(person: People) -> None:
    page = person()
    last = watch_again(page, "mia", 3, lives="1")
    told = page.locator("#status .sentence")
    begins = told.inner_text()
    for key, at in (("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1), ("Home", 1)):
        page.keyboard.press(key)
        page.wait_for_url(f"**/{at}/*")
    expect(told).to_have_text(begins)
    assert page.locator("#play").get_attribute("aria-pressed") == "false"
    page.click("#speed")
    page.click("#speed")
    page.click("#play")
    page.wait_for_url(f"**/{last}/*")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Home")
    page.wait_for_url("**/1/*")
    page.keyboard.press("1")
    page.wait_for_url("**?as=0")
    assert page.locator("[data-key='1']").get_attribute("aria-current") == "true"


def test_all_answers_can_be_scrolled_to_on_a_small_phone(person: People) -> None:
    page = person()
    last = watch_again(page, "cards", 6, maxRounds="1")
    page.set_viewport_size(SMALLEST)
    match, seen = page.url.rsplit("/", 2)[0], 0
    for at in range(1, last + 1):
        page.goto(f"{match}/{at}/")
        seen = max(seen, page.evaluate(ANSWERS))
        assert page.evaluate(LAST_SHOWN), at
    assert seen >= 6
