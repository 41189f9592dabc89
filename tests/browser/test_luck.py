"""The page itself verifies a match's random numbers, and says what it remembers of the match."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.kit.browser import join, open_table, start

pytestmark = pytest.mark.slow

People = Callable[..., Page]

ADDED = "() => Object.keys(localStorage).some((key) => key.startsWith('luck:'))"
CHANGE_PARTS = """(change) => {
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith("luck:"))) {
    const part = JSON.parse(localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify({ ...part, ...change }));
  }
}"""
END = """() => {
  document.querySelector('#actions form button, #skip-ahead button')?.click();
  return document.querySelector('#ending:not([hidden])');
}"""
FINE = "draws follow from what was fixed before the start."


def play(page: Page) -> None:
    """Play a match as somebody who never answers, among bots, up to its end."""
    open_table(page, "Ann", "mia", bots=2, lives="1", pace="fast")
    start(page)
    page.wait_for_function(END, timeout=120_000)
    page.locator("#ending .how > summary").click()


def check(page: Page, *says: str) -> None:
    page.get_by_role("button", name="Check the luck").click()
    for part in says:
        expect(page.locator(".check-luck output")).to_contain_text(part)


def test_page_verifies_its_match_and_finds_forgeries(person: People) -> None:
    page = person(own=True)
    play(page)
    check(page, FINE, "This browser added to the luck")

    def forged(route: Route) -> None:
        record = route.fetch().json()
        record["draws"][1][3] = (record["draws"][1][3] + 1) % 6
        route.fulfill(json=record)

    page.route("**/luck.json", forged)
    check(page, "One draw doesn't match. Save the record")
    expect(page.locator(".check-luck .problem")).to_have_text(
        ["One draw doesn't match. Save the record and show it to the others."]
    )
    page.unroute("**/luck.json")
    page.route("**/luck.json", lambda route: route.fulfill(json={"version": 1}))
    check(page, "This is no record of a match.")
    page.unroute("**/luck.json")
    page.route("**/luck.json", lambda route: route.abort())
    check(page, "couldn't be loaded")
    page.unroute("**/luck.json")

    page.get_by_role("link", name="Look back").click()
    check(page, FINE)
    expect(page.locator(".check-luck .problem")).to_have_count(0)
    page.evaluate(CHANGE_PARTS, {"list": None})
    check(page, FINE, "didn't add to the luck")
    page.evaluate(CHANGE_PARTS, {"list": "0" * 64})
    check(page, FINE, "this browser agreed to something else")
    page.evaluate(CHANGE_PARTS, {"share": 7})
    check(page, FINE, "didn't see the commitment")
    page.evaluate("localStorage.clear()")
    check(page, FINE, "didn't see the commitment")


def tamper(page: Page, script: str) -> None:
    """Run a script with every frame that the page sends, which it may change or hold back."""
    page.evaluate(
        """(script) => {
          const send = WebSocket.prototype.send, change = new Function("text", script);
          WebSocket.prototype.send = function (text) {
            const changed = change(text);
            if (changed) send.call(this, changed);
          };
        }""",
        script,
    )


def test_server_that_names_an_honest_page_is_found_out(person: People) -> None:
    page = person(own=True)
    open_table(page, "Ann", "mia", bots=2)
    expect(page.locator("#luck[data-commitment]")).to_have_count(1)
    tamper(page, "return text.includes('RevealLuck') ? '' : text")  # as if the server ignored it
    page.click("#setup .start button.main")
    expect(page.locator("#luck-told")).to_contain_text("No answer from Ann")
    expect(page.locator("#luck-alarms")).to_contain_text("This server says you didn't answer.")
    expect(page.locator("#setup .start")).to_have_count(0)
    expect(page.locator("#board")).to_contain_text("Round 1")


def test_second_list_for_a_commitment_is_not_opened(person: People) -> None:
    page = person(own=True)
    open_table(page, "Ann", "mia", bots=2)
    expect(page.locator("#luck[data-commitment]")).to_have_count(1)
    page.wait_for_function(ADDED)
    page.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((one) => one.startsWith("luck:"));
          const part = { ...JSON.parse(localStorage.getItem(key)), list: "0".repeat(64) };
          localStorage.setItem(key, JSON.stringify(part));
        }"""
    )
    page.click("#setup .start button.main")
    expect(page.locator("#luck-alarms")).to_contain_text("tried to mix the same luck twice")


def test_honest_page_adds_to_the_luck_after_another_did_not_answer(person: People) -> None:
    ann, bob = person(own=True), person(own=True)
    code = open_table(ann, "Ann", "mia")
    join(bob, code, "Bob")
    for page in (ann, bob):
        page.wait_for_function(ADDED)
    tamper(bob, "return text.includes('RevealLuck') ? '' : text")
    start(ann)
    ann.wait_for_function(
        """() => Object.keys(localStorage).some((key) =>
          key.startsWith("luck:") && JSON.parse(localStorage.getItem(key)).isOver)"""
    )
    expect(ann.locator("#luck-told")).to_have_text(
        "No answer from Bob, so the luck was mixed again without them."
    )
    expect(ann.locator("#luck-alarms p")).to_have_count(0)
    expect(bob.locator("#luck-alarms")).to_contain_text("This server says you didn't answer.")


def test_matches_on_an_honest_server_cause_no_warning(person: People) -> None:
    """Pages reload before the start, during a match and after it, and somebody comes back."""
    ann, bob = person(own=True), person(own=True)
    code = open_table(ann, "Ann", "mia", lives="1", pace="fast", bots=2)
    join(bob, code, "Bob")
    for at in range(3):
        for page in (ann, bob):
            page.wait_for_function(ADDED)
        if at:
            bob.reload()
            ann.get_by_role("button", name="Play again").first.click()
        else:
            start(ann)
        expect(bob.locator("#board")).to_contain_text("Round 1")
        ann.reload()
        for page in (ann, bob):
            page.wait_for_function(END, timeout=120_000)
            expect(page.locator("#luck-alarms")).to_have_text("")
    ann.locator("#ending .how > summary").click()
    check(ann, FINE, "This browser added to the luck")
