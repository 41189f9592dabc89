"""A finished match is watched again: by keys, by Play, and on the smallest phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import SMALLEST, open_table, start, until_mine

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


def test_replay_marks_where_the_reader_is(person: People) -> None:
    page = person()
    last = watch_again(page, "mia", 3, lives="1")
    for key, idle in (("Home", ["first", "back"]), ("End", ["next", "last"])):
        page.keyboard.press(key)
        page.wait_for_url(f"**/{1 if key == 'Home' else last}/*")
        still = page.locator("[data-to][aria-disabled=true]")
        expect(still).to_have_count(len(idle))
        assert [one.get_attribute("data-to") for one in still.all()] == idle
    current = page.locator(".story .line:has([aria-current=step])")
    expect(current.last).to_be_in_viewport()
    told = current.all_inner_texts()
    line = page.locator(".story .line:visible").first
    line.locator("a").click()
    expect(line.locator("[aria-current=step]")).to_be_visible()
    expect(page.locator(".story .line:visible").last.locator("[aria-current]")).to_be_visible()
    assert told != current.all_inner_texts()


def test_header_of_a_replay_fits_on_a_small_phone(person: People) -> None:
    page = person()
    open_table(page, "Ann", bots=1, lives="5", pace="none")
    start(page)
    until_mine(page)
    watch_again(page, "secret_hitler", 5)
    expect(page.locator("#badge")).to_have_text("Your turn: Mia")
    page.set_viewport_size(SMALLEST)
    for part in ("h1", "#to-log", "#badge", ".menu"):
        expect(page.locator(f"header {part}")).to_be_in_viewport(ratio=1)
    for part in ("h1", "#to-log"):
        assert page.locator(f"header {part}").evaluate("one => one.scrollWidth <= one.clientWidth")
    assert (
        page.locator("#badge").evaluate("one => getComputedStyle(one, '::before').content") == '"1"'
    )


BELOW = """() => {
  const [scene, dock, controls] = [".scene", ".dock", ".controls"]
    .map((one) => document.querySelector(one).getBoundingClientRect());
  const all = [...document.querySelectorAll(".dock :is(button, .sentence)")];
  const last = all.filter((one) => one.checkVisibility()).at(-1);  // not in a folded choice
  last.scrollIntoView({ block: "nearest" });
  const isSeen = last.getBoundingClientRect().bottom <= controls.top + 1;
  return [scene.height, dock.top - scene.bottom, isSeen];
}"""
"""Height of the scene, the distance of the dock below it, and whether the last button or sentence
can be scrolled above the controls."""


def test_scene_keeps_its_height_and_is_not_covered_on_a_small_phone(person: People) -> None:
    page = person()
    last = watch_again(page, "coup", 5)
    page.set_viewport_size(SMALLEST)
    match = page.url.rsplit("/", 2)[0]
    for at in (2, last // 2, last - 1):
        page.goto(f"{match}/{at}/?as=0")
        height, apart, is_seen = page.evaluate(BELOW)
        assert height > 200
        assert apart >= 0
        assert is_seen


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
