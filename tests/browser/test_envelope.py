"""Roles are dealt in envelopes. The election starts when all page users have looked."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.kit.browser import join, open_table, start


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
