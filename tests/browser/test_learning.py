"""A newcomer learns Secret Hitler from the coach, errs, reconnects, and then plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.kit.browser import (
    PHONE,
    SMALLEST,
    act_and_wait,
    let_stand,
    look,
    play_now,
    play_until,
    shown,
    until_mine,
)
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]

COVERS = """() => {
  const box = (id) => document.getElementById(id)?.getBoundingClientRect();
  const coach = box("coach");
  return ["hand", "status", "actions", "seats", "board"].filter((id) => {
    const part = box(id);
    return part && part.width && part.top < coach.bottom - 1 && part.bottom > coach.top + 1
      && part.left < coach.right - 1 && part.right > coach.left + 1;
  });
}"""
YES, NO = "#actions button[value=true]", "#actions button[value=false]"
LEARN = ".game-secret_hitler [formaction='/learn/']"
LIBERAL = ".act-chancellorpolicy button[value='0']"


def answer(page: Page, coach: str, tap: str) -> None:
    """Check that the coach's advice is announced and covers nothing, then follow it."""
    expect(page.locator("#coach")).to_contain_text(coach)
    expect(page.locator(tap)).to_be_enabled()
    assert page.evaluate(COVERS) == []
    form = page.locator(tap).evaluate("button => button.closest('form').id")
    button = page.locator(tap).and_(page.locator(f"[id='{form}'] button"))
    for _ in patiently("the answer is not taken"):  # taps before the scripts load do nothing
        let_stand(page)
        with suppress(TimeoutError):  # withdrawn once taken; else retried
            button.click(timeout=1000)
        with suppress(AssertionError):
            expect(page.locator("#coach")).not_to_contain_text(coach, timeout=1000)
            return


def test_newcomer_learns_from_the_coach_and_then_plays(person: People) -> None:
    page = person(PHONE)
    page.goto("/")
    expect(page.locator(".offer")).to_contain_text("Learn Mia in 2 minutes")
    page.fill("#play-name", "Mira")
    page.click(LEARN)
    answer(page, "so vote Ja", YES)
    answer(page, "vote Nein", YES)  # a mistake, which the coach explains
    answer(page, "Remember those two!", YES)
    page.set_viewport_size(SMALLEST)
    expect(page.locator("#coach")).to_contain_text("Enact the liberal one")
    look(page)
    left = page.url
    page.goto("/")
    expect(page.locator(".offer")).to_have_count(0)
    page.click(LEARN)
    assert page.url == left
    answer(page, "Enact the liberal one", LIBERAL)
    answer(page, "Whom do you trust now?", YES)
    expect(page.locator("#coach")).to_contain_text("You are president")
    page.locator("#coach").focus()
    assert page.evaluate("document.activeElement.id") == "coach"
    real = page.get_by_role("button", name="Play a real match")
    while not real.count():
        until_mine(page)
        act_and_wait(page)
        page.wait_for_selector("#status.mine, #coach .main")
    real.click()
    page.wait_for_url(lambda url: "/t/" in url and url != left)
    expect(page.locator("#coach")).to_be_hidden()
    expect(page.locator("#seats .seat")).to_have_count(5)


def test_hints_in_a_first_match_can_be_turned_off_with_one_tap(person: People) -> None:
    page = person(PHONE)
    play_now(page, "Nell")
    play_until(shown("#actions .true"), page)
    expect(page.locator("#hint")).to_contain_text(re.compile("% of rolls|nothing beats it"))
    look(page)
    page.locator("#hints label").click()
    expect(page.locator("#hints")).to_be_hidden()
    page.reload()
    expect(page.locator("#actions .true")).to_be_attached()
    expect(page.locator("#hints")).to_be_hidden()
