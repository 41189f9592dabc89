"""The options dialog saves an option with one tap and keeps the input if it is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import DESKTOP, PHONE, look_all_round, open_panel, open_table

People = Callable[..., Page]
GAP = """() => {
  const button = document.querySelector("#room-settings-save").getBoundingClientRect();
  return document.querySelector("#options > .small").getBoundingClientRect().top - button.bottom;
}"""


@pytest.mark.slow
def test_options_save_with_one_tap_and_rejected_input_is_kept(person: People) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", "mia")
    page.click(".rules-now button")
    party = page.locator("#set-party")
    party.click()
    expect(party).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#ruleset")).to_be_visible()
    expect(page.locator(".rules-now")).to_contain_text("Party rules")
    page.click("#all-options > summary")
    lives, little = page.locator("#option-lives"), page.locator("#option-littleMia")
    expect(lives).to_have_value("5")
    expect(little).to_be_checked()
    look_all_round(page, (DESKTOP, PHONE))
    page.locator(".option:has(#option-lives) [data-step='-1']").click()
    expect(page.locator("#back-to-set")).to_be_visible()
    little.uncheck()
    expect(page.locator("#ruleset .changed")).to_contain_text("2")
    lives.fill("99")
    lives.press("Tab")
    expect(page.locator(".option:has(#option-lives) .problem")).to_contain_text("Lives")
    expect(lives).to_have_value("99")
    page.click("#back-to-set")
    expect(page.locator("#back-to-set")).to_have_count(0)
    expect(lives).to_have_value("5")
    expect(little).to_be_checked()
    expect(page.locator("#ruleset .problem")).to_have_count(0)
    page.click("#ruleset footer .main")
    expect(page.locator("#ruleset")).to_be_hidden()


@pytest.mark.slow
def test_sentence_below_a_button_is_apart_from_it(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "mia")
    open_panel(page, "more")
    page.click("#room-settings > summary")
    assert page.evaluate(GAP) >= 8
