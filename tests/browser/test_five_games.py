"""Whole matches of every game in browsers: people and bots, phone and desktop, a spectator."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    DESKTOP,
    PHONE,
    QUICK,
    SMALLEST,
    act,
    join,
    let_stand,
    look,
    look_all_round,
    open_table,
    play_on,
    play_until,
    say,
    start,
    watched,
)

People = Callable[..., Page]
ASKED_IN_ORDER = """[...document.querySelectorAll('[data-ordered]:not([data-most="1"])')]
  .some(one => one.closest('form').id !== window.answeredForm?.id)"""
"""Whether the open question is to order cards, and has not just been answered."""

TABLES = [
    ("mia", 1),
    pytest.param("coup", 2, marks=pytest.mark.slow),
    pytest.param("chamber", 2, marks=pytest.mark.slow),
    pytest.param("cards", 10, marks=pytest.mark.slow),
    pytest.param("secret_hitler", 3, marks=pytest.mark.slow),
    pytest.param("secret_hitler", 8, marks=pytest.mark.long),
]
"""Games with their number of bots. For ten players see test_stage_secret_hitler.py."""
WATCHED = ("secret_hitler",)
"""Games with a spectator for a whole match.

Spectators of the other games are in test_chamber.py, test_cards.py and test_beats.py. Their pages
are checked in test_stage_*.py.
"""


@pytest.mark.parametrize(("game", "bots"), TABLES)
def test_two_humans_and_bots_finish_a_match(person: People, game: str, bots: int) -> None:
    """The first player has all animations, the others as few as possible."""
    ann, bob = person(DESKTOP, animated=True), person(SMALLEST)
    code = open_table(ann, "Ann", game, bots=bots, **QUICK.get(game, {}))
    join(bob, code, "Bob")
    watchers = [person(PHONE)] if game in WATCHED else []
    for eve in watchers:
        join(eve, code, "Eve", watch=True)
    look_all_round(ann, opened=True)
    start(ann)
    for page in (bob, *watchers):
        expect(page.locator("#seats .seat")).to_have_count(bots + 2)
    for _ in range(6):
        for page in (ann, bob):
            act(page)
        for eve in watchers:
            watched(eve)
    play_on(ann, bob)
    for page in (ann, bob, *watchers):
        expect(page.locator("#ending .end")).to_be_visible()
        expect(page.locator(".finish li")).to_have_count(bots + 2)
    look(bob)
    say(bob, "Well played.")
    for eve in watchers:
        watched(eve)
        look(eve)
    for page in (ann, *watchers):
        expect(page.locator("#chat-lines")).to_contain_text("Well played.")


@pytest.mark.slow
def test_picked_cards_are_numbered_in_the_order_of_the_blanks(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "cards", bots=2, pointsToWin="0", maxRounds="40")
    start(page)
    play_until(ASKED_IN_ORDER, page)
    tiles = page.locator("#actions [data-ordered] .tile")
    second, first = tiles.nth(0), tiles.nth(2)
    words = [tile.locator(".own").inner_text() for tile in (first, second)]
    most = int(page.locator("#actions [data-ordered]").get_attribute("data-most") or 0)
    let_stand(page)
    order = [first, second, tiles.nth(3)][:most]
    for tile in order:
        tile.click()
    expect(first.locator(".nth")).to_have_text("1")
    expect(second.locator(".nth")).to_have_text("2")
    extra = tiles.nth(4)
    extra.click()
    expect(order[-1].locator(".nth")).to_have_text("")
    extra.click()
    order[-1].click()
    for at, word in enumerate(words):  # capitalized at the start of a sentence or quotation
        blank = page.locator("#board [data-blank]").nth(at)
        begins = blank.get_attribute("data-begins") is not None
        written = word[:1].upper() + word[1:] if begins else word
        expect(blank.locator(".filling")).to_have_text(written, use_inner_text=False)
    page.locator("#actions form.act-playwhitecards > button").click()
    shown = page.locator("#board li:has(input:disabled) mark")
    for at, word in enumerate(words):
        expect(shown.nth(at)).to_have_text(word, ignore_case=True)
