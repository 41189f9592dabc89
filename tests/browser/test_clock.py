"""The clock on pages of a table stops during animations and can be extended once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.kit.browser import SMALLEST, join, open_table, play_on, start
from tests.kit.stage import SIZES
from tests.kit.staged import Staged, each
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow

People = Callable[..., Page]


def at_turn(*people: Page) -> Page:
    """Return the player who must answer first."""
    asked: list[Page] = []

    def has_turn() -> bool:
        asked[:] = [page for page in people if page.locator("#status.mine").count()]
        return bool(asked)

    wait_for(has_turn)
    return asked[0]


def test_clock_stops_during_animations_and_can_be_extended(
    person: People,
) -> None:
    ann, bob = person(viewport=SMALLEST), person(viewport=SMALLEST)
    join(bob, open_table(ann, "Ann", "mia"), "Bob")
    start(ann)
    page = at_turn(ann, bob)
    clock, label = page.locator("#status .clock"), page.get_by_text("The clock stands still")
    expect(clock).not_to_contain_class("still")
    page.evaluate("document.querySelector('#status time').dataset.full = 3")
    expect(clock).to_contain_class("still")
    expect(label).to_be_visible()
    expect(page.locator("#status time")).to_have_text("3 s")
    page.evaluate("document.querySelector('#status time').dataset.full = 3000")
    expect(clock).not_to_contain_class("still")
    expect(label).to_be_hidden()

    more = page.get_by_role("button", name="More time: +30 s, once a match")
    more.click()
    expect(more).to_have_count(0)
    other = bob if page is ann else ann
    expect(other.locator("#log-lines")).to_contain_text("takes more time.")


def test_newcomer_alone_with_bots_sees_that_there_is_no_clock(person: People) -> None:
    ann = person()
    open_table(ann, "Ann", "cards", bots=3)
    start(ann)
    expect(ann.locator("#status")).to_contain_text("No clock")
    expect(ann.locator("#status time")).to_have_count(0)
    expect(ann.locator("#log-lines")).to_contain_text("No clock in your first two matches.")


def test_third_match_alone_with_bots_is_the_first_with_a_clock(person: People) -> None:
    ann = person()
    open_table(ann, "Ann", "mia", bots=1, lives="1")
    for _ in range(2):
        start(ann)
        expect(ann.locator("#status")).to_contain_text("No clock")
        expect(ann.locator("#status time")).to_have_count(0)
        play_on(ann)
    start(ann)
    expect(ann.locator("#status")).not_to_contain_text("No clock")
    expect(ann.locator("#status time")).to_have_count(1)


BOXES = """() => {
  const clock = document.querySelector("#status .clock:has(time)");
  if (!clock) return null;
  const parts = () => [".dock", "#status .sentence", "#status time"].map((one) => {
    const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  });
  clock.classList.remove("still");
  const runs = parts();
  clock.classList.add("still");
  return [runs, parts()];
}"""
"""The boxes around a clock that runs, and around the same clock while it stands still."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db(transaction=True)
def test_clock_that_stands_still_moves_nothing(person: People, game: str) -> None:
    page = person()
    open_table(page, "Ann", game)
    moments = list(Staged(game, players=5).moments(examples=(1,)))
    met = 0
    for moment, size, boxes in each(page, moments, SIZES, BOXES):
        if boxes is not None:
            runs, stands = boxes
            assert runs == stands, (moment.kind, size)
            met += 1
    assert met
