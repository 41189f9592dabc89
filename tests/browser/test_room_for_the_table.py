"""The table has a minimum share of the window for each kind of question, at every size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games import rooms
from games.registry import GAMES
from tests.kit.browser import PHONE, open_table
from tests.kit.stage import SIZES
from tests.kit.staged import Staged, each

pytestmark = pytest.mark.slow

PLAYERS = 5
LEAST = {
    "waiting": (55, 60, 55, 50),
    "two": (45, 55, 45, 45),
    "four": (35, 45, 40, 45),
    "announcing": (25, 32, 35, 40),
    "voting": (50, 55, 50, 50),
    "more": (25, 39, 37, 45),
}
"""Percent of the window at each of SIZES, by question: none, one or two answers, three or four or
own cards in the dock, the announcement in Mia, the best answer in Cards, and more than four
answers, for which the specification sets no minimum."""
SHARE = """() => {
  const answers = [...document.querySelectorAll(":is(#actions, #spectating) :is(button, summary)")]
    .filter((one) => one.checkVisibility() && !one.disabled).length;
  const has = (selector) => document.querySelector(selector) !== null;
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].some((one) => one.checkVisibility());
  const asked =
    has("#actions.announcing") ? "announcing" : has(".ballot") ? "voting" :
    answers > 4 ? "more" : seen(".tiles, .own-cards, #actions .own") ? "four" :
    !answers ? "waiting" : answers > 2 ? "four" : "two";
  const around = getComputedStyle(document.querySelector(".seats")).position === "absolute";
  const table = document.querySelector(around ? ".stage" : ".scene");
  const { width, height } = table.getBoundingClientRect();
  return [asked, (100 * width * height) / innerWidth / innerHeight];
}"""
"""If seats surround the scene, the whole stage counts as the table. Optional hints are off."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db(transaction=True)
def test_table_has_its_minimum_share_of_the_window(person: Callable[..., Page], game: str) -> None:
    page = person()
    open_table(page, "Ann", game)
    page.evaluate("document.body.dataset.unhinted = 'yes'")
    moments = Staged(game, players=PLAYERS).moments(examples=(2,))
    played = [one for one in moments if one.phase != "over"]
    found = []
    for moment, size, (what, share) in each(page, played, SIZES, SHARE):
        if share < LEAST[what][SIZES.index(size)]:
            found.append(f"{size['width']} {moment.kind}, {what}: {share:.1f} %")
    assert not found, "\n".join(found)


LEAST_BESIDE = (25, 50)
"""Percent of a phone beside a big screen, where answers and hands are larger: while something is
asked, and while nothing is."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db(transaction=True)
def test_table_keeps_its_share_of_a_phone_beside_a_big_screen(
    person: Callable[..., Page], game: str
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    match = Staged(game, players=PLAYERS)
    rooms.screen_seen([match.room.pk]).result()
    played = [one for one in match.moments(examples=(2,)) if one.phase != "over"]
    assert all("data-screen" in one.regions["status"] for one in played)
    found = []
    for moment, _, (what, share) in each(page, played, [PHONE], SHARE):
        if share < LEAST_BESIDE[what == "waiting"]:
            found.append(f"{moment.kind}, {what}: {share:.1f} %")
    assert not found, "\n".join(found)
