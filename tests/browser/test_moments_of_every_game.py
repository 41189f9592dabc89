"""Results of every game are told on time, by one message and in one place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from games.registry import GAMES
from tests.kit.acts_on_pages import (
    LINE,
    ShownAct,
    begin,
    reconnect,
    show_before,
    shown_acts,
    step,
    stop_clock,
)
from tests.kit.browser import PHONE, open_table
from tests.kit.stage import SIZES
from tests.kit.staged import NO_ALARM, Staged

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

People = Callable[..., Page]

PLAYERS = 5
SEEDS = {"secret_hitler": 2}
"""Seeds of matches that show acts of each kind. The others need none."""
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
EVERY = 100
"""Milliseconds between two samples."""
STRIDE = 600
"""Maximum milliseconds to advance a page at once."""
PICTURE = 290
"""Milliseconds between two pictures. Two equal pictures mean 580 ms without motion."""
AT_LEAST = {320: 55, 390: 60, 844: 55, 1440: 50, 1920: 70}
"""Percent of the window that a drawing has at least, by the width of the window."""
RESULTS = {
    "mia": (r"bluff|it was true|true!|dice were good", r"los(es?|ing) the round", r"under the cup"),
    "coup": (r"bluff!|a bluff|true!|were caught|had ", r"must lose|loses |you lose "),
    "chamber": (r"live!|a live", r"click|blank\.", r"loses? (a|\d) li(fe|ves)"),
    "cards": (r"wins? (the )?round|shares? (the )?round", r"\bvotes?\b"),
    "secret_hitler": (
        r"elected|rejected",
        r"(is|was) hitler|not hitler\.",
        r"(is|are) out",
        r"policy|chaos",
    ),
}
"""What the texts of a result say, by game."""
READING = ("reading",)
"""An animation in which everybody reads. It has no result, and ends if everybody skips it."""
KEPT = """() => {
  const WAITING = ["board", "seats", "hand", "status", "actions", "log-lines", "evening", "ending",
    "hint", "coach", "spectating", "people", "setup"];
  const kept = (id) => {
    const region = document.getElementById(id)?.cloneNode(true);
    region?.querySelectorAll("time, .clock, .blank").forEach((one) => one.remove());
    const labels = [...(region?.querySelectorAll("[class], [aria-label], [title]") ?? [])]
      .map((one) => {
        one.classList.remove("speaks", "fresh");  // whose beat is shown, and new lines
        return [one.className, one.ariaLabel, one.title].join(" ");
      });
    return [region?.textContent, ...labels].join("\\n");
  };
  const title = document.title.replace(location.pathname.split("/")[2], "");  // without the code
  return {
    held: document.body.classList.contains("is-held"),
    inert: document.querySelector(".question")?.inert ?? null,
    kept: [title, ...WAITING.map(kept)].join("\\n"),
    said: ["#beat .headline", "#call:not([hidden]) span"]
      .flatMap((one) => [...document.querySelectorAll(one)].map(({ textContent }) => textContent)),
    share: (() => {
      const around = getComputedStyle(document.querySelector(".seats")).position === "absolute";
      const box = document.querySelector(around ? ".stage" : "#moment");
      const { width, height } = box.getBoundingClientRect();
      return Math.round((100 * width * height) / innerWidth / innerHeight);
    })(),
  };
}"""
"""The texts and labels of all regions that an act can change, and what else the page says. If seats
surround the scene, the whole stage counts as the drawing's share of the window."""
PLACES = """() => {
  const moment = document.querySelector("#moment").getBoundingClientRect();
  const opacity = (one) =>
    one ? Number(getComputedStyle(one).opacity) * opacity(one.parentElement) : 1;
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  });
  const seen = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    let box = meet(range.getBoundingClientRect(),
      { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let up = text.parentElement; up && up !== document.body; up = up.parentElement) {
      const { overflow, clipPath } = getComputedStyle(up);
      const clips = overflow !== "visible" || clipPath !== "none";
      if (clips) box = meet(box, up.getBoundingClientRect());
    }
    return box;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = {};
  while (walk.nextNode()) {
    const { currentNode: text } = walk;
    const one = text.parentElement;
    if (!text.data.trim() || one.closest("script, style, template")) continue;
    if (!one.checkVisibility({ visibilityProperty: true }) || opacity(one) < 0.1) continue;
    const { left, right, top, bottom } = seen(text);
    if (right - left < 3 || bottom - top < 3) continue;
    const drawn = one.closest("#moment, .showing");
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const over = x > moment.left && x < moment.right && y > moment.top && y < moment.bottom;
    if (!drawn && over && document.body.classList.contains("is-moment")) continue;  // under it
    const part = drawn ? "the drawing" : one.closest("[id]")?.id ?? one.tagName;
    (found[part] ??= []).push(text.data.trim());
  }
  return found;
}"""
"""The visible texts of each part of the page. A drawing and its headline are one place."""
UNUSABLE = """() => {
  const answers = [...document.querySelectorAll("#actions :is(button, summary)")]
    .filter((one) => one.checkVisibility() && !one.disabled);
  return answers.filter((one) => {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return one.closest("[inert]") || !one.contains(hit);
  }).map((one) => `${one.textContent.trim()} cannot be tapped`);
}"""
CLOCK = """() => {
  const time = document.querySelector("#status time");
  return time && [time.textContent, Number(time.dataset.full)];
}"""
SENDS = """() => {
  window.sent = [];
  line.send = (data) => { if (!data.includes("CommitLuck")) sent.push(data); }; // sent unasked
}"""
"""Keep what the page would send."""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def page_of(shown_to: People) -> Callable[[str], Page]:
    """Open a table, or its big screen, with a stopped clock and without optional hints."""

    def at(game: str, size: ViewportSize = PHONE) -> Page:
        page = shown_to(LINE, viewport=size)
        page.clock.install()
        code = open_table(page, "Ann", game)
        if size == TELEVISION:
            page.goto(f"/t/{code}/screen/")
        stop_clock(page)
        page.evaluate("document.body.dataset.unhinted = 'yes'")
        page.evaluate(NO_ALARM)  # the acts are from another match
        return page

    return at


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, settings: Any) -> str:
    settings.BEATS = 1.0
    slug: str = request.param
    return slug


def acts_of(game: str, *viewers: str) -> list[ShownAct]:
    found = list(shown_acts(Staged(game, SEEDS.get(game, 1), PLAYERS), viewers))
    assert found
    return found


def run(page: Page, begun: int, until: int) -> int:
    """Play from one time of an act to another, in short steps. Return the latter."""
    while begun < until:
        ms = min(STRIDE, until - begun)
        step(page, ms)
        begun += ms
    return until


def test_result_is_told_by_a_single_message(page_of: Callable[..., Page], game: str) -> None:
    page, screen = page_of(game), page_of(game, TELEVISION)
    for act in acts_of(game, "asked", "watching", "screen"):
        shown = screen if act.viewer == "screen" else page
        show_before(shown, act)
        before = shown.evaluate(KEPT)["kept"]
        begin(shown, act)
        at = 0
        while at < act.told - EVERY:
            seen = shown.evaluate(KEPT)
            assert seen["held"], f"{act}: not held at {at} ms"
            assert seen["kept"] == before, f"{act}: changed at {at} ms"
            assert set(seen["said"]) <= act.said, f"{act} at {at} ms"
            assert seen["inert"] in (True, None), f"{act} at {at} ms"
            at = run(shown, at, at + EVERY)
        at = run(shown, at, act.told - 5)
        assert shown.evaluate(KEPT)["kept"] == before, f"{act}: changed before it is told"
        at = run(shown, at, act.told + 5)
        told = shown.evaluate(KEPT)
        assert not told["held"], act
        assert not told["inert"], act
        assert told["kept"] != before, act
        run(shown, at, act.told + 150)
        assert shown.evaluate(KEPT)["kept"] == told["kept"], f"{act}: changed by more messages"


def test_scene_of_a_big_screen_never_freezes_before_the_result(
    page_of: Callable[..., Page], game: str
) -> None:
    screen = page_of(game, TELEVISION)
    screen.set_viewport_size({"width": 1280, "height": 720})  # drawn in the same way, but faster
    found = []
    for act in acts_of(game, "screen"):
        show_before(screen, act)
        begin(screen, act)
        last, at = b"", 0
        while at + PICTURE < act.told:
            at = run(screen, at, at + PICTURE)
            seen = screen.locator(".scene").screenshot(animations="allow")
            if seen == last:
                found.append(f"{act} stands still at {at} ms")
            last = seen
    assert not found, "\n".join(found)


def told_in(before: dict[str, list[str]], after: dict[str, list[str]], what: str) -> list[str]:
    """Return the places that have this result among their new texts."""
    new = {
        part: " ".join(x for x in texts if x not in before.get(part, ()))
        for part, texts in after.items()
    }
    return [part for part, text in new.items() if re.search(what, text, re.IGNORECASE)]


def test_result_is_in_one_visible_place_and_the_question_is_usable(
    page_of: Callable[..., Page], game: str
) -> None:
    page, screen = page_of(game), page_of(game, TELEVISION)
    acts = acts_of(game, "asked", "watching", "screen")
    found = []
    for size in (*SIZES, TELEVISION):
        shown = screen if size == TELEVISION else page
        shown.set_viewport_size(size)
        for act in acts:
            if (act.viewer == "screen") != (size == TELEVISION):
                continue
            where = f"{size['width']} pixels wide, {act}"
            show_before(shown, act)
            begin(shown, act)
            at = run(shown, 0, act.told - 5)
            before = shown.evaluate(PLACES)
            share = shown.evaluate(KEPT)["share"]
            if share < AT_LEAST[size["width"]]:
                found.append(f"{where}: the drawing has {share} %")
            results = () if act.stages == READING else RESULTS[game]
            is_told = not results
            for after in (20, 150, 600, 980):
                at = run(shown, at, act.told + after)
                places = shown.evaluate(PLACES)
                drawn = {"the drawing": places.get("the drawing", [])}
                is_told |= bool(set(drawn["the drawing"]) - set(before["the drawing"]))
                is_told |= any(told_in({}, drawn, what) for what in results)
                for what in results:
                    parts = told_in(before, places, what)
                    if parts[1:]:
                        found.append(f"{where}: {what} after {after} ms in {parts}")
                if after == 150:
                    found += [f"{where}: {one}" for one in shown.evaluate(UNUSABLE)]
                    text, full = shown.evaluate(CLOCK) or ("", 0)
                    if text and abs(seconds(text) - full) > 1:
                        found.append(f"{where}: the clock shows {text} of {full} s")
            if not is_told:
                found.append(f"{where}: nothing tells the result")
    assert not found, "\n".join(dict.fromkeys(found))


def seconds(text: str) -> int:
    """Read a clock, which shows 1:05 or 5 s."""
    minutes, _, rest = text.removesuffix(" s").rpartition(":")
    return 60 * int(minutes or 0) + int(rest)


def test_skipping_tells_the_result_at_once_on_one_page(
    page_of: Callable[..., Page], game: str
) -> None:
    skips, waits = page_of(game), page_of(game)
    for act in acts_of(game, "asked"):
        for page in (skips, waits):
            show_before(page, act)
            begin(page, act)
            run(page, 0, act.told // 2)
        before = waits.evaluate(KEPT)
        skips.evaluate(SENDS)
        skips.click("#call button")
        told = skips.evaluate(KEPT)
        assert not told["held"], act
        assert told["kept"] != before["kept"], act
        sent = [json.loads(one)["body"]["do"] for one in skips.evaluate("sent")]
        assert sent == ["DealSeen"] * (act.stages == READING), act
        assert waits.evaluate(KEPT) == before, act
        run(waits, act.told // 2, act.told + 5)
        assert waits.evaluate(KEPT)["kept"] == told["kept"], act
        show_before(waits, act)
        begin(waits, act)
        waits.keyboard.press("Escape")
        assert waits.evaluate(KEPT)["kept"] == told["kept"], act


def test_page_that_is_hidden_late_or_reconnected_tells_the_result_at_once(
    page_of: Callable[..., Page], game: str
) -> None:
    page = page_of(game)
    for act in acts_of(game, "asked"):
        show_before(page, act)
        before = page.evaluate(KEPT)["kept"]
        begin(page, act)
        run(page, 0, act.told + 5)
        told = page.evaluate(KEPT)["kept"]
        assert told != before
        show_before(page, act)
        begin(page, act, late=act.told - 100)
        assert page.evaluate(KEPT)["kept"] == told, f"{act}: late"
        show_before(page, act)
        begin(page, act)
        reconnect(page, act)
        assert page.evaluate(KEPT)["kept"] == told, f"{act}: reconnected"
        show_before(page, act)
        begin(page, act)
        assert page.evaluate(KEPT)["held"], act
        page.evaluate(HIDE, True)
        assert page.evaluate(KEPT)["kept"] == told, f"{act}: hidden meanwhile"
        show_before(page, act)
        begin(page, act)
        assert page.evaluate(KEPT)["kept"] == told, f"{act}: hidden before"
        page.evaluate(HIDE, False)
