"""Roles are dealt in envelopes. The election starts when all page users have looked.

`tests/games/test_dealing.py` tests the same without browsers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, join, open_table, start

pytestmark = pytest.mark.slow


def test_first_question_appears_once_everybody_has_viewed_their_role(
    shown_to: Callable[..., Page],
) -> None:
    ann, bob = shown_to(), shown_to()
    join(bob, open_table(ann, "Ann", "secret_hitler", bots=3), "Bob")
    start(ann)
    for page, looked in ((ann, 3), (bob, 4)):
        expect(page.locator(".sh-looked")).to_have_text(f"{looked} of 5 have looked")
        expect(page.locator(".sh-tick")).to_have_count(looked)
        expect(page.locator("#actions form")).to_have_count(0)
        card = page.locator("#own-role")
        expect(card).to_be_hidden()
        page.locator("#own-envelope").press("Enter")
        expect(card).to_be_visible()
        page.locator("#own-envelope").press("Enter")
        expect(card).to_be_hidden()
    for page in (ann, bob):
        expect(page.locator(".sh-deal")).to_have_count(0)
        expect(page.locator(".sh-scene")).to_have_count(1)


IN_REACH = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const { bottom } = getComputedStyle(document.querySelector("#own-role"), "::backdrop");
  return {
    below: box("#own-envelope").top >= box("#status").bottom - 1,
    lit: innerHeight - parseFloat(bottom) <= box("#own-envelope").top,
  };
}"""
"""Whether the envelope's button is below the sentence, and not dimmed while it is held."""


def test_button_of_the_envelope_is_lit_below_the_sentence_on_a_phone(
    shown_to: Callable[..., Page],
) -> None:
    page = shown_to(viewport=PHONE)
    open_table(page, "Ann", "secret_hitler", bots=4)
    start(page)
    page.wait_for_function("document.querySelector('#own-envelope')")
    page.locator("#own-envelope").press("Enter")
    expect(page.locator("#own-role")).to_be_visible()
    assert page.evaluate(IN_REACH) == {"below": True, "lit": True}
