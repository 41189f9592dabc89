"""Every page and phase at every width: nothing sticks out, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    DESKTOP,
    SMALLEST,
    act,
    is_over,
    join,
    open_table,
    play_now,
    start,
)

People = Callable[..., Page]


def look(page: Page) -> None:
    """axe finds nothing, and nothing is wider than the window."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0, f"{page.url} is {wide}px too wide"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [SMALLEST, DESKTOP], ids=["320", "desktop"])
def test_pages_are_clean(person: People, viewport: dict[str, int], scheme: str) -> None:
    page = person(viewport, color_scheme=scheme)
    for address in ("/", "/new/mia/", "/new/coup/", "/rules/mia/", "/rules/coup/", "/t/ZZZZZ/"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        look(page)


@pytest.mark.parametrize("game", ["mia", "coup"])
@pytest.mark.parametrize("viewport", [SMALLEST, DESKTOP], ids=["320", "desktop"])
def test_every_phase_of_a_match_is_clean(
    person: People, viewport: dict[str, int], game: str
) -> None:
    page = person(viewport, color_scheme="dark" if viewport == SMALLEST else "light")
    options = {"lives": "1"} if game == "mia" else {}
    open_table(page, "Ann", game, bots=2, **options)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    look(page)
    start(page)
    seen: set[str] = set()
    for _ in range(300):
        forms = page.locator("#actions form").evaluate_all(
            "forms => forms.map(f => f.className).sort().join()"
        )
        if forms not in seen:
            seen.add(forms)
            look(page)
        if is_over(page):
            break
        act(page)
        page.wait_for_timeout(40)
    expect(page.locator("#board .end")).to_be_visible()
    look(page)


def test_the_way_in_is_clean(person: People) -> None:
    ann, bob = person(), person(SMALLEST)
    code = open_table(ann, "Ann")
    bob.goto(f"/t/{code}/")
    look(bob)
    join(bob, code, "Bob")
    look(bob)


def test_mia_can_be_played_with_the_keyboard_alone(person: People) -> None:
    page = person()
    play_now(page, "Ann")
    for _ in range(300):
        if is_over(page):
            break
        if page.locator("#actions > form").count():
            page.wait_for_timeout(360)
            page.keyboard.press("Alt+a")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        page.wait_for_timeout(60)
    expect(page.locator("#board .end")).to_be_visible()
