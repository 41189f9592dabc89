"""A pause shows who paused, a stopped clock, and the host's button to resume."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import join, open_panel, open_table, start

pytestmark = pytest.mark.slow

People = Callable[..., Page]
RUNS_OUT = """() => [...document.querySelectorAll(".seat.awaited .one-person")].some(
  (seat) => 0 < Number(seat.style.getPropertyValue("--left"))
    && Number(seat.style.getPropertyValue("--left")) < 1)"""
"""Whether the ring around a seat shows time passing."""


def test_host_pauses_the_match_for_everybody_until_resuming_it(person: People) -> None:
    ann, bob = person(), person()
    code = open_table(ann, "Ann")
    join(bob, code, "Bob")
    start(ann)
    expect(bob.get_by_role("button", name="Pause the match")).to_have_count(0)
    open_panel(ann, "people")
    ann.get_by_role("button", name="Pause the match").click()
    for page in (ann, bob):
        expect(page.locator("#status .sentence").first).to_have_text("Paused by Ann.")
        expect(page.locator("#status .still")).to_be_visible()
        expect(page.locator("#pause-call")).to_have_text("Paused by Ann.")
        expect(page.locator("#status [data-deadline]")).to_have_count(0)
        expect(page.locator("#actions form")).to_have_count(0)
    expect(bob.locator("#status")).to_contain_text("Ann can resume it.")
    expect(bob.get_by_role("button", name="Resume")).to_have_count(0)
    bob.reload()
    expect(bob.locator("#status .sentence").first).to_have_text("Paused by Ann.")
    ann.get_by_role("button", name="Resume").press("Enter")
    expect(ann.locator("#actions-heading")).to_be_focused()
    for page in (ann, bob):
        expect(page.locator("#status [data-deadline]")).to_be_visible()
        expect(page.locator("#status .still")).to_have_count(0)
        expect(page.locator("#pause-call")).not_to_have_text("Paused by Ann.")
        page.wait_for_function(RUNS_OUT)
