"""What a finger taps is 44 pixels wide and high, also with many at a small table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, SMALLEST, open_table, start
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import unseen
from tests.kit.staged import Staged, put

People = Callable[..., Page]
LEAST = 44
SPANS = """() => [...document.querySelectorAll("#seats .seat")].map((seat) => {
  const button = seat.querySelector("button");
  const face = button.querySelector(".face").getBoundingClientRect();
  const [x, y] = [(face.left + face.right) / 2, (face.top + face.bottom) / 2];
  const own = (x, y) => seat.contains(document.elementFromPoint(x, y));
  const reach = (dx, dy) => {
    let far = 0;
    while (far < 80 && own(x + dx * (far + 1), y + dy * (far + 1))) far += 1;
    return far;
  };
  return [reach(-1, 0) + 1 + reach(1, 0), reach(0, -1) + 1 + reach(0, 1)];
})"""
"""How far a finger may be from the middle of each face: width and height of what answers it."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("game", "players"),
    [("chamber", 8), ("mia", 8), ("cards", 10), ("coup", 6), ("secret_hitler", 10)],
)
def test_each_face_can_be_tapped(person: People, game: str, players: int) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    moment = next(one for one in Staged(game, players=players).moments() if one.eyes == "theirs")
    put(page, moment.regions)
    for size in (PHONE, SMALLEST):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        spans = page.evaluate(SPANS)
        assert len(spans) == players
        assert all(min(span) >= LEAST for span in spans), (size, spans)


def test_all_of_a_seat_leads_to_who_sits_there(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "mia", bots=2)
    start(page)
    page.locator(".seat", has_text="Bela").locator(".lives").click()
    expect(page.get_by_role("dialog", name="Bela")).to_be_visible()


def test_the_code_of_a_table_is_in_sight_beside_its_picture(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "coup", bots=3)
    assert not unseen(page, ".welcome code", ".welcome .qr", ".welcome [data-copy]")
