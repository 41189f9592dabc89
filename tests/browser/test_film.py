"""The animations of whole matches, stepped through in a real page: they never freeze, and their
text covers nothing visible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from games.contract.luck import ScriptedLuck
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.pages import regions
from games.pages.beats import beats_region
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.acting import act, looks, on_turn
from tests.kit.browser import DESKTOP, PHONE, SMALLEST, open_table, start
from tests.kit.later import moving_on
from tests.kit.served import as_served
from tests.kit.staged import Staged, put

pytestmark = pytest.mark.slow

People = Callable[..., Page]
Stages = tuple[str, ...]

STEP = 290
"""Milliseconds between two pictures. Two equal pictures mean 580 ms without motion."""
TAIL = 800
"""Milliseconds played after the last piece of a drawing."""
SEATS = {"secret_hitler": 7, "cards": 4, "coup": 4, "chamber": 4, "mia": 4}
OF_A_KIND = 2
"""Maximum drawings played with the same stages."""
LANDSCAPE = {"width": 844, "height": 390}
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
  const shift = serverNow() - Number(beats[0].dataset.from);
  for (const { dataset } of beats) {
    dataset.from = Number(dataset.from) + shift;
    if (dataset.told) dataset.told = Number(dataset.told) + shift;
  }
  const told = Math.max(...beats.map(({ dataset }) => Number(dataset.told ?? 0)));
  const start = Number(beats[0].dataset.from);
  const begins = Number(beats.find(({ dataset }) => dataset.stage).dataset.from);
  const pieces = [...list.querySelectorAll("template")];
  const after = Math.max(...pieces.map(({ dataset }) => Number(dataset.after ?? 0)));
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message", { detail: {}, bubbles: true }));
  window.until = told - start;
  return [begins - start, until, until + after];
}"""
TOLD = "at => at >= until"
MOVES = """() => document.getAnimations().some((one) =>
  one.playState === "running" && document.querySelector("#moment").contains(one.effect?.target))"""
COVERED = """() => {
  const moving = document.getAnimations().map(({ effect }) => effect).filter((effect) => {
    const { iterations, progress } = effect.getComputedTiming();
    return iterations < Infinity && progress !== null && progress < 1;
  });
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((one) => !moving.some(({ target }) => target.contains(one)))
    .map((one) => [one.getAttribute("class") ?? one.tagName, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const words = seen("#moment :is(.verdict, .quote, .sh-asked, .sh-left), .beat .headline");
  const hearts = seen("#moment > .heart-breaks");
  const scene = document.querySelector("#moment").getBoundingClientRect();
  const people = ".portrait :is(img, figcaption), .payers img";
  const drawn = `${people}, .die, .throne-card > *, .sh-card > svg`;
  const things = seen(`#moment :is(${drawn})`);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const beside = things.filter(([thing]) => thing === "FIGCAPTION" || thing.startsWith("die"));
  const cut = hearts.filter(([, a]) => a.top < scene.top || a.right > scene.right + 1);
  const over = hearts.flatMap(([, a]) => beside.filter(([, b]) => meet(a, b)));
  return [
    ...cut.map(() => "the heart is cut"),
    ...over.map(([thing]) => `the heart lies over ${thing}`),
    ...words.flatMap(([word, a]) => things.filter(([, b]) => meet(a, b))
      .map(([thing]) => `${word} lies over ${thing}`)),
  ];
}"""
"""Text of a drawing that overlaps a face, a name, a die or a figure by more than a few pixels once
both are in place. A heart may overlap a face."""


class Drawn(NamedTuple):
    """A drawing as a page receives it."""

    stages: Stages
    html: str
    """The beats."""
    told: dict[str, str]
    """All other regions for the player asked next, whose dock is as full as possible."""


def drawings(staged: Staged) -> Iterator[Drawn]:
    """Return examples of each kind of drawing."""
    met: dict[Stages, int] = {}
    looks(staged.room, *staged.people)
    with moving_on() as pass_:
        for minutes in count(1):
            seen = load_snapshot(staged.match.pk)
            if seen.over:
                return
            before = load(staged.room.pk)
            pass_(timedelta(minutes=minutes))  # wait until everything was shown
            staged.move(seen)
            now = load(staged.room.pk, before)
            region = beats_region(now, now.acts, viewpoint_of(now, None, "en"))
            stages = tuple(beat["stage"] for beat in region.part["beats"] if beat["stage"])
            if region.part["told"] and met.setdefault(stages, 0) < OF_A_KIND:
                met[stages] += 1
                html = as_served(render(now, region, "en"))
                yield Drawn(stages, html, regions_of(staged, now))


def regions_of(staged: Staged, now: Table) -> dict[str, str]:
    """Return the page of the player who must answer, without animations or speech."""
    match = load_snapshot(staged.match.pk)
    asked = match.players[min(match.game.rules.awaited(match.state), default=0)].user_id
    wanted = (one for one in regions(now, asked) if one.id not in ("beats", "chat"))
    return {one.id: render(now, one, "en") for one in wanted}


@pytest.fixture
def person(shown_to: People) -> People:
    return shown_to


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", SEATS)
def test_animations_never_freeze_and_their_text_covers_nothing(
    person: People, game: str, settings: Any
) -> None:
    settings.BEATS = 1.0
    shown = list(drawings(Staged(game, players=SEATS[game])))
    page = opened(person, game)
    one_of_each = {one.stages: one for one in shown}.values()
    found = [still for one in one_of_each for still in stills(page, one)]
    for size in (SMALLEST, PHONE, LANDSCAPE, DESKTOP):
        page.set_viewport_size(size)
        for one in shown:
            for at, covered in played(page, one, 3 * STEP, COVERED):
                where = f"{one.stages} at {at} ms, {size['width']} pixels wide"
                found += [f"{where}: {words}" for words in covered]
    page.emulate_media(reduced_motion="reduce")
    for one in one_of_each:
        for at, moves in played(page, one, 3 * STEP, MOVES):
            if moves:
                found.append(f"{one.stages} moves at {at} ms with reduced motion")
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("players", [2, 4, 8])
def test_heart_of_an_announced_mia_covers_nothing(
    person: People, players: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BEATS = 1.0
    drawn = announced(Staged("mia", players=players), monkeypatch)
    assert "heart-breaks" in drawn.html
    page = opened(person, "mia")
    found = []
    for size in (SMALLEST, PHONE, LANDSCAPE, DESKTOP):
        page.set_viewport_size(size)
        for at, covered in played(page, drawn, 3 * STEP, COVERED):
            found += [f"{size['width']} pixels wide, {at} ms: {one}" for one in covered]
    assert not found, "\n".join(dict.fromkeys(found))


def announced(staged: Staged, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Return the drawing of a true Mia, which all others pay for."""
    looks(staged.room, *staged.people)
    announcer = on_turn(staged.match)
    with monkeypatch.context() as patched:
        patched.setattr(MatchSnapshot, "luck", lambda _: ScriptedLuck(die=[1, 0]))
        act(staged.match, announcer, "Roll")
    before = load(staged.room.pk)
    act(staged.match, announcer, "Announce", dice="2,1")
    now = load(staged.room.pk, before)
    region = beats_region(now, now.acts, viewpoint_of(now, None, "en"))
    return Drawn(("lift",), as_served(render(now, region, "en")), regions_of(staged, now))


def stills(page: Page, drawn: Drawn) -> Iterator[str]:
    """Return the times at which this drawing freezes before the result."""
    last = b""
    for at, is_told in played(page, drawn, STEP, TOLD):
        seen = page.locator(".stage").screenshot(animations="allow")
        if seen == last and not is_told:
            yield f"{drawn.stages} stands still at {at} ms"
        last = seen


def played(page: Page, drawn: Drawn, step: int, asked: str) -> Iterator[tuple[int, Any]]:
    """Play a drawing to its end. Yield the milliseconds at each step, and what `asked` returns."""
    put(page, drawn.told)
    begins, told, last = page.evaluate(BEGIN, drawn.html)
    assert begins < told
    for at in range(step, int(last) + TAIL, step):
        page.clock.run_for(step)
        answer = page.evaluate(f"([ms, at]) => {{ step(ms); return ({asked})(at); }}", [step, at])
        if at > begins:
            yield at, answer


def opened(person: People, game: str) -> Page:
    """Open a table of this game that gets no further messages, with its clock stopped."""
    page = person(viewport=PHONE)
    page.clock.install()
    open_table(page, "Ann", game, bots=SEATS[game] - 1)
    start(page)
    page.wait_for_function("() => document.querySelector('#moment') && window.htmx")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.evaluate(FREEZE)
    return page
