"""Pages at every width: nothing overflows, and axe finds nothing. test_stage_*.py checks each phase
of a match."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import (
    PHONE,
    SMALLEST,
    look_all_round,
    open_table,
)
from tests.kit.served import ROOT

pytestmark = pytest.mark.slow

People = Callable[..., Page]


STYLES = [*(ROOT / "static").glob("*.css"), *(ROOT / "games").glob("*/web/static/*.css")]
FOR_A_WIDTH = re.compile(r"@media [^{]*width[^{]*\{(?:[^{}]*\{[^{}]*\})*")
FOR_A_SCHEME = re.compile(r"prefers-color-scheme")
COLOUR = re.compile(r"light-dark|colou?r|background|#[0-9a-f]{3,8}\b|rgb\((?!0 0 0)")

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
