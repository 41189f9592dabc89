"""Every page and phase at every width: nothing sticks out, and axe finds nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.rules import GAMES
from tests.kit.browser import (
    CHANGE,
    QUICK,
    SMALLEST,
    act,
    is_over,
    join,
    let_stand,
    look,
    look_all_round,
    open_panel,
    open_table,
    play_now,
    start,
    wait_for_change,
)
from tests.kit.served import ROOT
from tests.kit.waiting import patiently

People = Callable[..., Page]


STYLES = [*(ROOT / "static").glob("*.css"), *(ROOT / "static/games").glob("*.css")]
FOR_A_WIDTH = re.compile(r"@media [^{]*width[^{]*\{(?:[^{}]*\{[^{}]*\})*")
FOR_A_SCHEME = re.compile(r"prefers-color-scheme")
COLOUR = re.compile(r"light-dark|colou?r|background|#[0-9a-f]{3,8}\b|rgb\((?!0 0 0)")


def test_no_colour_depends_on_the_width() -> None:
    """So a page need not be looked at in both schemes at every width."""
    for style in STYLES:
        text = style.read_text()
        assert not any(map(COLOUR.search, FOR_A_WIDTH.findall(text))), style
        assert not FOR_A_SCHEME.search(text), f"{style}: light-dark() depends on nothing else"


def test_pages_are_clean_and_keep_to_the_policy(strict: Callable[..., Page]) -> None:
    page = strict(animated=False)
    games = [f"/{page_of}/{slug}/" for slug in GAMES for page_of in ("new", "rules")]
    programs = ["/api/", *(f"/api/{slug}/" for slug in GAMES)]
    for address in ("/", "/t/ZZZZZ/", *games, *programs):
        page.goto(address)
        look_all_round(page, opened=True)


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_of_a_match_is_clean_and_keeps_to_the_policy(
    strict: Callable[..., Page], game: str
) -> None:
    page = strict(animated=False)
    page.set_viewport_size(SMALLEST)
    bots = max(2, GAMES[game].seats[0] - 1)
    open_table(page, "Ann", game, bots=bots, **QUICK.get(game, {}))
    look_all_round(page, opened=True)
    start(page)
    seen: set[str] = set()
    for _ in patiently("the match does not end"):
        status = page.locator("#status")
        phase = f"{status.get_attribute('data-phase')} {status.get_attribute('data-mine')}"
        if phase not in seen:
            seen.add(phase)
            look_all_round(page)
        if is_over(page):
            break
        act(page, CHANGE)
    expect(page.locator("#ending .end")).to_be_visible()
    look_all_round(page)
    open_panel(page, "chat")
    page.fill("#message", "still here")
    page.press("#message", "Enter")
    expect(page.locator("#chat-lines")).to_contain_text("still here")


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
        page.wait_for_selector("#actions > form, #ending .end")
        if is_over(page):
            break
        let_stand(page)
        for key in ("Alt+a", "Tab", "Enter"):
            page.keyboard.press(key)
        wait_for_change(page)
    expect(page.locator("#ending .end")).to_be_visible()
