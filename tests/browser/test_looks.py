"""Pages at every width: nothing overflows, no word is broken, and axe finds nothing.
test_stage_*.py checks each phase of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain

import pytest
from django.urls import NoReverseMatch, reverse
from playwright.sync_api import Page, ViewportSize

from games.registry import GAMES
from tests.kit.addresses import GETS
from tests.kit.browser import PHONE, SMALLEST, log_in, look_all_round, open_table
from tests.kit.browser_scripts import OPEN_ALL
from tests.kit.inhabited import ANN, LONG, ROOT
from tests.kit.served import ROOT as PROJECT
from tests.kit.served import Served

pytestmark = pytest.mark.slow

People = Callable[..., Page]


SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
STYLES = [*(PROJECT / "static").glob("*.css"), *(PROJECT / "games").glob("*/web/static/*.css")]
FOR_A_WIDTH = re.compile(r"@media [^{]*width[^{]*\{(?:[^{}]*\{[^{}]*\})*")
FOR_A_SCHEME = re.compile(r"prefers-color-scheme")
COLOUR = re.compile(r"light-dark|colou?r|background|#[0-9a-f]{3,8}\b|rgb\((?!0 0 0)")

DECK = f"/decks/{LONG[:30].lower()}/"
PER_GAME = {"new-table": "new", "rules": "rules"}
SAMPLES = {
    **{name: (f"/{name}/mia/",) for name in ("league", "ladder")},
    **{name: tuple(f"/{at}/{slug}/" for slug in GAMES) for name, at in PER_GAME.items()},
    "game-reference": ("/api/secret_hitler/",),
    "match": tuple(f"/matches/{number}/" for number in range(1, 6)),
    "replay": ("/matches/2/20/", "/matches/4/9/"),
    "person": (f"/people/{ANN}/", "/people/zo%C3%AB-7/"),
    "deck": (DECK,),
    "replace-deck": (f"{DECK}file/",),
}
"""Addresses of pages whose address has parameters."""
BROKEN = r"""() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth - clientWidth}px too wide`);
  const isHidden = (one) => one && (getComputedStyle(one).clipPath !== "none"
    || isHidden(one.parentElement));
  while (walk.nextNode()) {
    const text = walk.currentNode;
    const one = text.parentElement;
    if (one.closest("script, style, pre, code, svg, dl") || isHidden(one)) continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (const word of text.data.matchAll(/(?<![^\s(„])[\p{L}\p{M}\d]{1,20}(?![^\s.,:;!?)“])/gu)) {
      if (word[0].length > 15 && !one.closest(".one-person")) continue;
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter(({ width }) => width);
      if (new Set(lines.map(({ top }) => Math.round(top / 4))).size > 1) found.push(word[0]);
    }
  }
  return [...new Set(found)];
}"""
"""Words and numbers broken over several lines. Long words may be, but no names in lists."""

CROWDED = """() => {
  const BESIDE = 3, ABOVE_A_HEADING = 12;
  const controls = ":is(button, .button, input:not([type=range]), select, textarea)";
  const all = [...document.querySelectorAll(`main :is(h1, h2, h3, p, li, tr, label, ${controls})`)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 2)
    .map((one) => ({ one, box: one.getBoundingClientRect() }));
  const gap = (box, above) => box.top - above.bottom;
  const isOver = (above, box) => above.top < box.top && gap(box, above) > -1
    && above.left < box.right && box.left < above.right;
  const near = (one, box, least, kind) => all.some((other) => other.one.matches(kind)
    && !other.one.contains(one) && !one.contains(other.one)
    && isOver(other.box, box) && gap(box, other.box) < least);
  const found = [];
  for (const { one, box } of all) {
    const isClose = (one.matches("h2") && near(one, box, ABOVE_A_HEADING, "*"))
      || (one.matches(controls) && near(one, box, BESIDE, controls));
    if (isClose) found.push(one.outerHTML.slice(0, 90));
  }
  return found;
}"""
"""Headings that nearly touch what is above them, and controls that nearly touch each other."""

SMALL = """() => {
  const LEAST = 43.5;
  const large = ({ width, height }) => Math.min(width, height) >= LEAST;
  const labels = (one) => [one, ...(one.labels ?? []), one.closest("label")].filter(Boolean);
  const inText = (one) => {
    const around = one.parentElement.textContent.trim();
    const alone = around === one.textContent.trim() || one.closest(".ways, nav");
    return one.matches("a, .link") && !alone;
  };
  return [...document.querySelectorAll("main :is(button, a, input, select, textarea, summary)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 2)
    .filter((one) => !inText(one))
    .filter((one) => !labels(one).some((part) => large(part.getBoundingClientRect())))
    .map((one) => `${one.outerHTML.slice(0, 90)} ${one.offsetWidth}x${one.offsetHeight}`);
}"""
"""Controls too small for a finger, together with their labels. Links within a text may be small."""


def test_no_color_depends_on_the_page_width() -> None:
    """Because of this, each width needs to be checked in one color scheme only."""
    for style in STYLES:
        text = style.read_text()
        assert not any(map(COLOUR.search, FOR_A_WIDTH.findall(text))), style
        assert not FOR_A_SCHEME.search(text), f"{style}: light-dark() depends on nothing else"


@pytest.fixture(scope="module")
def inhabited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a ladder, whose database is full of long names."""
    server = Served(tmp_path_factory.mktemp("inhabited"), LADDER="on", WS_BURST="400")
    server.prepare()
    server.manage("shell", "-c", "from tests.kit.inhabited import fill; fill()")
    server.start()
    yield server
    server.stop()


def addresses(column: int) -> Iterator[str]:
    """Yield the addresses of pages that this kind of user gets, one of each kind."""
    for name, got in GETS.items():
        if name in SAMPLES:
            yield from SAMPLES[name]
        elif got[column] == 200:
            with suppress(NoReverseMatch):
                yield reverse("admin:index" if name == "admin" else name)


@pytest.mark.parametrize(("name", "column"), [("", 0), ("Gast", 1), (ANN, 2), (ROOT, 3)])
def test_nothing_is_broken_or_crowded_on_a_phone(
    person: People, inhabited: Served, name: str, column: int
) -> None:
    page = person(SMALLEST, base=inhabited.url, locale="de-DE")
    if column == 1:
        open_table(page, name)
    elif name:
        page.goto("/account/login/")
        log_in(page, name)
        page.wait_for_url("**/")
    found, missing = {}, set(chain(*SAMPLES.values()))
    for address in addresses(column):
        answer = page.request.get(address)
        if answer.ok and "text/html" in answer.headers["content-type"]:
            missing.discard(address)
            page.goto(address)
            page.evaluate(OPEN_ALL)
            for size in (SMALLEST, PHONE, SIDEWAYS):
                page.set_viewport_size(size)
                wrong = [page.evaluate(script) for script in (BROKEN, CROWDED)]
                found[address, size["width"]] = [*chain(*wrong)]
    assert len(found) > 45
    assert name != ANN or not missing
    assert not {where: wrong for where, wrong in found.items() if wrong}


def test_pages_pass_layout_and_accessibility_checks(person: People) -> None:
    page = person()
    games = [f"/{page_of}/{slug}/" for slug in GAMES for page_of in ("new", "rules")]
    programs = ["/api/", "/api/secret_hitler/"]  # one template: the overview and the longest page
    for address in (*games, *programs):
        page.goto(address)
        look_all_round(page, opened=True)


def test_controls_are_large_enough_for_a_finger(person: People) -> None:
    page = person(PHONE, has_touch=True, is_mobile=True)
    pages = ["/", "/decks/", "/device/", "/account/login/", "/account/signup/"]
    guests = ["/you/", "/tables/", "/decks/new/", "/you/delete/", "/you/device/"]
    games = [f"/{page_of}/{slug}/" for slug in GAMES for page_of in ("new", "rules")]
    found = {}
    for visited in ([*pages, *games], guests):
        for address in visited:
            page.goto(address)
            for size in (PHONE, SMALLEST):
                page.set_viewport_size(size)
                found[address, size["width"]] = page.evaluate(SMALL)
        if visited is not guests:
            open_table(page, "Ann")
    assert not {where: small for where, small in found.items() if small}
