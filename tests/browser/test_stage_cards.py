"""Cards with ten and with twenty at a table: whatever one needs is in sight at every size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    PHONE,
    act_and_wait,
    let_stand,
    open_table,
    start,
    wait_for_change,
)
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import check_sizes
from tests.kit.waiting import patiently

People = Callable[..., Page]

WANTED = {"play", "vote", "results"}
MOMENT = """() => {
  const { phase } = document.querySelector("#status").dataset;
  const move = { play: "playwhitecards", vote: "vote", results: "continue" }[phase];
  return document.querySelector(`#actions .act-${move}`) ? phase : "";
}"""
PUSHED = """() => {
  for (const number of document.querySelectorAll(".nth")) number.textContent = "";
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message"));
}"""
"""What somebody else does brings the hand anew, as the server knows it: nothing picked."""
NEEDED = {
    "play": ("#board .prompt-card", "#board .blank", ".progress", "#actions .tile"),
    "vote": ("#board .plays.shown", ".progress", "#actions .choices .mine", "#hand .own-cards"),
    "results": ("#board .plays", "#board .plays .won"),
}


@pytest.mark.parametrize("bots", [9, 19])
def test_all_that_counts_is_in_sight_at_every_size(person: People, bots: int) -> None:
    page = person(reduced_motion="reduce")
    open_table(page, "Ann", "cards", bots=bots, pace="fast", pointsToWin="2")
    start(page)
    seen: dict[str, list[str]] = {}
    for _ in patiently("not every phase has come about"):
        if seen.keys() >= WANTED:
            break
        moment = page.evaluate(MOMENT)
        if moment and moment not in seen:
            page.evaluate(TWO_FRAMES)
            seats = "#seats .seat .face" if bots < 10 else "#seats .seats"
            seen[moment] = check_sizes(page, *NEEDED[moment], seats)
        if not act_and_wait(page):
            wait_for_change(page)
    assert {moment: found for moment, found in seen.items() if found} == {}


def test_what_is_picked_is_read_in_the_blank_and_covered_with_the_hand(person: People) -> None:
    page = person(PHONE, reduced_motion="reduce")
    open_table(page, "Ann", "cards", bots=2)
    start(page)
    page.wait_for_selector(".act-playwhitecards .tile")
    expect(page.locator("#board .blank.own")).to_have_count(0)
    let_stand(page)
    first, second = (page.locator(".act-playwhitecards .tile").nth(at) for at in range(2))
    most = int(page.locator(".ticks").get_attribute("data-most") or 0)
    filling = page.locator("#board .blank .filling").first
    first.click()
    expect(filling).to_have_text(first.locator(".own").inner_text())
    expect(first.locator(".nth")).to_have_text("1")
    if most == 1:
        second.click()
        expect(filling).to_have_text(second.locator(".own").inner_text())
        expect(first.locator(".nth")).to_be_hidden()
    number = page.locator(".act-playwhitecards .nth:visible").first
    before = number.inner_text()
    page.evaluate(PUSHED)
    expect(number).to_have_text(before)
    page.keyboard.press("Alt+s")
    expect(filling).to_be_hidden()
    page.keyboard.press("Alt+s")
    expect(filling).to_be_visible()
    said = filling.inner_text()
    act_and_wait(page)
    if page.locator("#actions .mine-play").count():
        expect(filling).to_have_text(said)
