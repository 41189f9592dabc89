"""Acts are shown beat by beat to players, eliminated players and spectators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.kit.acting_in_browsers import MOVE, move
from tests.kit.browser import PHONE, join, open_table, start, wait_for_change
from tests.kit.browser_scripts import OPEN_ALL
from tests.kit.stage import SIZES
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]
NOTE = """
  const { now } = Date;
  Date.now = () => now.call(Date) - 6000; // a page that thinks it is early leaves nothing out
  window.seen = [];
  window.heard = [];
  window.told = [];
  document.addEventListener("parlour:tell", (event) => window.told.push(event.detail));
  document.addEventListener("parlour:beat", (event) => window.seen.push(event.detail.text));
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const { start } = kind.prototype;
    kind.prototype.start = function (at) { window.heard.push(kind.name); start.call(this, at); };
  }
"""
BEAT = """sound =>
  document.dispatchEvent(new CustomEvent("parlour:beat", { detail: { sound } }))"""
PIECE = """() => {
  navigator.vibrate = (pattern) => { window.felt = pattern; };
  const detail = { sounds: ["stamp", "crack", "riser", "tick"], felt: [60, 40, 60] };
  document.dispatchEvent(new CustomEvent("parlour:piece", { detail }));
}"""
LONG = """() => {
  const from = performance.now() + 1e15; // whatever has come before is shown first
  document.querySelector("#skip").click();
  document.querySelector("#beats").innerHTML =
    `<li data-from="${from}" data-ms="600000" data-seat="0">A long moment</li>`;
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message", { detail: {}, bubbles: true }));
}"""
DRAWN = """async () => {
  const hold = () => document.dispatchEvent(new CustomEvent("parlour:hold", {
    detail: { begins: 0, told: 0 }, cancelable: true,
  }));
  while (hold()) await new Promise(requestAnimationFrame); // drawings are loaded last
  const from = serverNow();
  const told = from + 1e7;
  const line = (at, text, drawn) =>
    `<li data-matters data-from="${at}" data-ms="1000000"
      ${drawn ? `data-stage="x" data-told="${told}"` : ""}>${text}</li>`;
  document.querySelector("#beats").innerHTML =
    line(from, "First", true) + line(from + 1e6, "Second", true) + line(told, "Third", false);
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message", { detail: {}, bubbles: true }));
}"""
"""Show an act of two drawings and a result."""
MESSAGE = """() => new Promise((done) =>
  document.addEventListener("htmx:before:ws:message", done, { once: true }))"""
ACTS = """() => {
  const show = (lines) => {
    document.querySelector("#beats").innerHTML = lines;
    document.dispatchEvent(new CustomEvent("htmx:after:ws:message", { detail: {}, bubbles: true }));
  };
  document.querySelector("#skip").click(); // opens messages that were held
  document.querySelector("#skip").click(); // leaves out their beats
  const from = serverNow();
  const told = from + 1000;
  show(`<template data-at="0"><p class="piece">Drawn</p></template>
    <li data-from="${from}" data-ms="1000" data-stage="x" data-told="${told}">First</li>
    <li data-from="${told}" data-ms="1000000">Its result</li>`);
  const drawn = document.querySelectorAll("#moment .piece").length;
  show(`<li data-from="${told + 500}" data-ms="1000000">Another act</li>`);
  return drawn;
}"""
"""Show an act with a drawing, then an act without one that begins while the first is shown."""
COVERED = """() => [...document.querySelectorAll("#actions button")].filter((button) => {
  if (!button.checkVisibility()) return false;
  button.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = button.getBoundingClientRect();
  return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).length"""
UNDER = """() => {
  const box = document.querySelector("#beat .headline").getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return document.getElementById("beat").contains(top);
}"""

OVER = """() => {
  const box = document.querySelector("#beat .headline").getBoundingClientRect();
  return ["#seats .face", ".scene", ".dock"].filter((part) => {
    const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom - 1 && bottom > box.top;
  });
}"""
"""Parts of the table under the headline."""


@pytest.fixture
def person(shown_to: People) -> People:
    """People in browsers that skip no animation, however late messages arrive."""
    return partial(shown_to, NOTE)


def until_told(pages: list[Page], wanted: Callable[[list[str]], bool]) -> list[list[str]]:
    """Wait until each page has announced this to its screen reader. Return all announcements.

    A busy machine may skip late headlines, but it never skips announcements.
    """
    for _ in patiently(lambda: str([page.evaluate("told") for page in pages])):
        found: list[list[str]] = [page.evaluate("told") for page in pages]
        if all(map(wanted, found)):
            return found
        wait_for_change(pages[0])
    raise AssertionError


def table_of_three(person: People, **options: str) -> tuple[list[Page], Page]:
    """Ann, Bob and Eve in a running match, with Zed as a spectator."""
    players, watcher = [person() for _ in range(3)], person()
    code = open_table(players[0], "Ann", "mia", **options)
    for page, name in zip(players[1:], ("Bob", "Eve"), strict=True):
        join(page, code, name)
    join(watcher, code, "Zed", watch=True)
    start(players[0])
    return players, watcher


def test_all_players_and_spectators_see_a_reveal_in_order(person: People) -> None:
    players, watcher = table_of_three(person, lives="1")
    everybody = [*players, watcher]
    for _ in range(2):
        out = [page for page in players if page.locator(".seat.you.out").count()]
        for page in everybody:
            page.evaluate("seen.length = told.length = 0")
        left = [page for page in players if page not in out]
        move(left, "roll")
        move(left, "announce")
        doubts = move(left, "see")
        if out:
            break
        until_told(everybody, lambda told: any("out" in text for text in told))
        for page in left:
            page.evaluate(MOVE, "continue")  # play continues by itself if we are too late
    assert len(out) == 1
    last = until_told(everybody, lambda told: any("win" in text for text in told))
    expect(watcher.locator("#ending .end")).to_be_visible()
    for page, told in zip(everybody, last, strict=True):
        since = next(at for at, text in enumerate(told) if "bluff" in text)
        called, cup, lost, gone, won = told[since:]
        seen = [text for text in page.evaluate("seen") if text in told[since:]]
        assert seen == [text for text in told[since:] if text in seen]
        assert called == "You call the bluff" if page is doubts else "calls the bluff" in called
        assert cup.startswith("Under the cup:")
        assert "lose" in lost
        assert gone.endswith("out")
        assert won == "You win" or won.endswith(" wins")
        assert (page in out or page is watcher) <= ("You" not in "".join(told[since:]))
    expect(watcher.locator("#beats > li")).to_have_count(0)


def test_animation_blocks_no_controls_and_can_be_skipped(person: People) -> None:
    players, watcher = table_of_three(person)
    roller = move(players, "roll")
    expect(roller.locator("#actions .act-announce")).not_to_have_count(0)
    for page in (roller, watcher):
        page.evaluate(LONG)
        expect(page.locator("#beat .headline")).to_have_text("A long moment")
        expect(page.locator(".seat.speaks")).to_have_count(1)
    for size in SIZES[:3]:
        watcher.set_viewport_size(size)
        assert watcher.evaluate(OVER) == []
    roller.evaluate(OPEN_ALL)
    assert roller.evaluate(COVERED) == 0
    assert not roller.evaluate(UNDER)
    expect(roller.locator("#beat")).to_have_attribute("aria-hidden", "true")
    move([roller], "announce")
    expect(roller.locator("#beat .headline")).not_to_have_text("A long moment")
    expect(watcher.locator(".seat .bubble")).to_have_text("6-6!")
    watcher.click("#skip")
    expect(watcher.locator("#beat .headline")).to_have_count(0)
    expect(watcher.locator("#skip")).to_be_hidden()
    expect(watcher.locator(".seat.speaks")).to_have_count(0)
    shown = watcher.evaluate("seen.length")
    watcher.evaluate(LONG.replace("performance.now() + 1e15", "1"))  # no longer on display
    assert watcher.evaluate("seen.length") == shown
    expect(watcher.locator("#beat .headline")).to_have_count(0)


def test_second_drawing_is_announced_when_it_begins_or_is_skipped(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    page.evaluate(DRAWN)
    assert page.evaluate("told") == ["First"]
    page.keyboard.press("Escape")
    assert page.evaluate("told") == ["First", "Second", "Third"]


def test_drawing_of_an_act_is_gone_when_the_next_act_is_shown(person: People) -> None:
    players, watcher = table_of_three(person)
    watcher.evaluate(DRAWN)  # drawings are loaded last
    move(players, "roll")
    watcher.evaluate(MESSAGE)
    assert watcher.evaluate(ACTS) == 1
    expect(watcher.locator("#beat .headline")).to_have_text("Another act")
    expect(watcher.locator("#moment .piece")).to_have_count(0)


def test_skipping_to_the_end_discards_pending_animations(person: People) -> None:
    both = host, friend = person(), person()
    code = open_table(host, "Ann", "mia", bots=3)
    join(friend, code, "Bob", watch=True)
    host.get_by_role("button", name="Watch").click()
    expect(host.get_by_role("button", name="Sit down")).to_be_visible()
    start(host)
    expect(host.locator("#skip-ahead")).to_be_visible()
    for page in both:
        page.evaluate(LONG)
    host.evaluate("document.querySelector('#skip-ahead button').click()")
    for page in both:
        expect(page.locator("#ending .end")).to_be_visible(timeout=60000)
        expect(page.locator("#beat .headline")).to_have_count(0)


def test_sounds_are_off_until_enabled_and_the_setting_is_remembered(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia", bots=1)
    page.evaluate(BEAT, "dice")
    assert page.evaluate("heard") == []
    page.locator("summary", has_text="Menu").click()
    page.check("[data-habit=sound]")
    page.wait_for_function("() => heard.length > 0")

    def heard(script: str, name: str = "") -> list[str]:
        page.evaluate("heard = []")
        page.evaluate(script, name)
        found: list[str] = page.evaluate("heard")
        return found

    for name in ("dice", "card", "coin", "ballot", "shot", "blank", "clock", "win", "loss"):
        assert heard(BEAT, name), name
    pieces = [one for name in ("stamp", "crack", "riser", "tick") for one in heard(BEAT, name)]
    assert heard(PIECE) == pieces
    assert page.evaluate("felt") == [60, 40, 60]
    page.fill("#volume", "0")
    assert heard(BEAT, "dice") == []
    page.reload()
    expect(page.locator("#volume")).to_have_value("0")
    expect(page.locator("[data-habit=sound]")).to_be_checked()
    page.set_viewport_size(PHONE)
    switch = page.locator("header").get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/you/habit/"):
        switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.locator("[data-habit=sound]")).not_to_be_checked()
