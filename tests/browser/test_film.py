"""The drawings of whole matches, played in a real page step by step: they never stand still, and
their words cover nothing that is to be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page

from games.engine.snapshots import load_snapshot
from games.regions.beats import beats_region
from games.regions.templating import render
from games.regions.viewpoint import viewpoint
from games.rules import GAMES
from games.tables.loading import load
from tests.kit.acting import looks
from tests.kit.browser import DESKTOP, PHONE, SMALLEST, open_table, start
from tests.kit.later import moving_on
from tests.kit.served import as_served
from tests.kit.staged import Staged

People = Callable[..., Page]
Stages = tuple[str, ...]

STEP = 290
"""Milliseconds between two pictures: two that are equal show 580 in which nothing moves."""
SEATS = {"secret_hitler": 7, "cards": 4, "coup": 4, "chamber": 4, "mia": 4}
OF_A_KIND = 2
"""Drawings with the same stages that are played."""
LANDSCAPE = {"width": 844, "height": 390}
BEGAN = """() => {
  const served = Number(document.querySelector("meta[name=served-at]").content);
  window.began = served - (performance.getEntriesByType("navigation")[0]?.responseStart || 0);
}"""
FREEZE = """() => {
  for (const what of ["htmx:before:ws:message", "htmx:ws:close"]) {
    addEventListener(what, (event) => {  // what the table does meanwhile
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true });
  }
  window.stepped = new WeakSet();
  window.step = (ms) => {
    dispatchEvent(new Event("resize"));  // the dock may have opened
    const timed = (one) => one.timeline === document.timeline;  // and not by scrolling
    for (const one of document.getAnimations().filter(timed)) {
      if (stepped.has(one)) one.currentTime = Number(one.currentTime) + ms;
      else {
        one.pause();
        one.currentTime = ms / 2;
        stepped.add(one);
      }
    }
  };
}"""
BEGIN = """html => {
  document.querySelector("#skip").click();  // what is still shown of the one before
  const list = document.querySelector("#beats");
  list.innerHTML = html;
  const beats = [...list.querySelectorAll("li[data-from]")];
  const shift = began + performance.now() - Number(beats[0].dataset.from);
  for (const { dataset } of beats) {
    dataset.from = Number(dataset.from) + shift;
    if (dataset.told) dataset.told = Number(dataset.told) + shift;
  }
  const told = Math.max(...beats.map(({ dataset }) => Number(dataset.told ?? 0)));
  const start = Number(beats[0].dataset.from);
  const begins = Number(beats.find(({ dataset }) => dataset.stage).dataset.from);
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message", { detail: {}, bubbles: true }));
  window.until = told - start;
  return [begins - start, until];
}"""
MOVES = """() => document.getAnimations().some((one) =>
  one.playState === "running" && document.querySelector("#moment").contains(one.effect?.target))"""
COVERED = """() => {
  const seen = (selector) => [...document.querySelectorAll(`#moment :is(${selector})`)]
    .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((one) => [one.className || one.tagName, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const words = seen(".verdict, .quote, .sh-asked, .sh-left");
  const things = seen(".portrait :is(img, figcaption), .die, :is(.throne-card, .sh-card) > svg");
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return words.flatMap(([word, a]) => things.filter(([, b]) => meet(a, b))
    .map(([thing]) => `${word} lies over ${thing}`));
}"""
"""Which words of a drawing meet a face, a name, a die or a figure, by more than a few pixels."""


def drawings(staged: Staged) -> Iterator[tuple[Stages, str]]:
    """Examples of what pages are sent with a drawing: its stages, and the beats."""
    met: dict[Stages, int] = {}
    looks(staged.room, *staged.people)
    with moving_on() as pass_:
        for minutes in count(1):
            seen = load_snapshot(staged.match.pk)
            if seen.over:
                return
            before = load(staged.room.pk)
            pass_(timedelta(minutes=minutes))  # what was shown is over
            staged.move(seen)
            now = load(staged.room.pk, before)
            region = beats_region(now, now.acts, viewpoint(now, None, "en"))
            stages = tuple(beat["stage"] for beat in region.part["beats"] if beat["stage"])
            if region.part["told"] and met.setdefault(stages, 0) < OF_A_KIND:
                met[stages] += 1
                yield stages, as_served(render(now, region, "en"))


@pytest.fixture
def person(shown_to: People) -> People:
    return shown_to


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", GAMES)
def test_drawings_never_stand_still_and_their_words_cover_nothing(
    person: People, game: str, settings: Any
) -> None:
    settings.BEATS = 1.0
    shown = list(drawings(Staged(game, players=SEATS[game])))
    page = opened(person, game)
    one_of_each = dict(shown).items()
    found = [one for stages, html in one_of_each for one in stills(page, stages, html)]
    for size in (SMALLEST, PHONE, LANDSCAPE, DESKTOP):
        page.set_viewport_size(size)
        for stages, html in shown:
            for at in played(page, html, 3 * STEP):
                where = f"{stages} at {at} ms, {size['width']} pixels wide"
                found += [f"{where}: {one}" for one in page.evaluate(COVERED)]
    page.emulate_media(reduced_motion="reduce")
    for stages, html in one_of_each:
        for at in played(page, html, 3 * STEP):
            if page.evaluate(MOVES):
                found.append(f"{stages} moves at {at} ms with reduced motion")
    assert not found, "\n".join(dict.fromkeys(found))


def stills(page: Page, stages: Stages, html: str) -> Iterator[str]:
    """When this drawing stands still before it is told."""
    last = b""
    for at in played(page, html, STEP):
        seen = page.locator(".stage").screenshot(animations="allow")
        if seen == last and at < page.evaluate("until"):
            yield f"{stages} stands still at {at} ms"
        last = seen


def played(page: Page, html: str, step: int) -> Iterator[int]:
    """Play a drawing until a second after it is told: at each step, how many milliseconds in."""
    begins, told = page.evaluate(BEGIN, html)
    assert begins < told
    for at in range(step, int(told) + 1000, step):
        page.clock.run_for(step)
        page.evaluate("ms => step(ms)", step)
        if at > begins:
            yield at


def opened(person: People, game: str) -> Page:
    """A table of this game that gets no more messages, and whose clock stands still."""
    page = person(viewport=PHONE)
    page.clock.install()
    open_table(page, "Ann", game, bots=SEATS[game] - 1)
    start(page)
    page.wait_for_function("() => document.querySelector('#moment') && window.htmx")
    page.evaluate(BEGAN)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.evaluate(FREEZE)
    return page
