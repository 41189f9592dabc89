"""Every page and phase at every width: nothing sticks out, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.rules import GAMES
from tests.kit.browser import (
    CHANGE,
    DESKTOP,
    QUICK,
    SMALLEST,
    act,
    is_over,
    join,
    let_stand,
    look,
    open_table,
    play_now,
    start,
    wait_for_change,
)
from tests.kit.waiting import patiently

People = Callable[..., Page]


@pytest.mark.parametrize("viewport", [SMALLEST, DESKTOP], ids=["320", "desktop"])
def test_pages_are_clean(person: People, viewport: dict[str, int]) -> None:
    page = person(viewport)
    games = [f"/{page_of}/{slug}/" for slug in GAMES for page_of in ("new", "rules")]
    programs = ["/api/", *(f"/api/{slug}/" for slug in GAMES)]
    for address in ("/", "/t/ZZZZZ/", *games, *programs):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            look(page)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewport", [SMALLEST, DESKTOP], ids=["320", "desktop"])
def test_every_phase_of_a_match_is_clean(
    person: People, viewport: dict[str, int], game: str
) -> None:
    page = person(viewport, color_scheme="dark" if viewport == SMALLEST else "light")
    bots = max(2, GAMES[game].seats[0] - 1)
    open_table(page, "Ann", game, bots=bots, **QUICK.get(game, {}))
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    look(page)
    start(page)
    seen: set[str] = set()
    for _ in patiently("the match does not end"):
        status = page.locator("#status")
        phase = f"{status.get_attribute('data-phase')} {status.get_attribute('data-mine')}"
        if phase not in seen:
            seen.add(phase)
            look(page)
        if is_over(page):
            break
        act(page, CHANGE)
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
    for _ in patiently("the match does not end"):
        page.wait_for_selector("#actions > form, #board .end")
        if is_over(page):
            break
        let_stand(page)
        for key in ("Alt+a", "Tab", "Enter"):
            page.keyboard.press(key)
        wait_for_change(page)
    expect(page.locator("#board .end")).to_be_visible()
