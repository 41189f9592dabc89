"""What somebody says in the chat covers nobody else, at the fullest table of each game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.rules import GAMES
from tests.kit.browser import PHONE, open_table
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import LOW_DESKS, SIZES
from tests.kit.staged import MANY, Staged, put

pytestmark = pytest.mark.django_db(transaction=True)

COVERED = """() => [...document.querySelectorAll(".seat")].flatMap((speaker) => {
  document.querySelectorAll(".bubble").forEach((bubble) => bubble.remove());
  const line = document.createElement("span");
  line.className = "bubble talk";
  line.textContent = "I am a liberal, and you had better believe it";
  speaker.append(line);
  const box = line.getBoundingClientRect();
  const others = [...document.querySelectorAll(".seat :is(.face, .name), .sh-office, .sh-ballot")];
  return others.filter((one) => !speaker.contains(one)).filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const across = Math.min(right, box.right) - Math.max(left, box.left);
    return across > 2 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 2;
  }).map((one) => `${speaker.innerText}: ${one.outerHTML}`);
})"""
"""What of somebody else a line of the chat lies over, said by each of the people in turn."""


@pytest.mark.parametrize("game", GAMES)
def test_a_line_of_the_chat_covers_nobody_else(person: Callable[..., Page], game: str) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    staged = Staged(game, players=min(MANY, GAMES[game].seats[1]))
    put(page, next(one for one in staged.moments() if one.eyes == "mine").regions)
    for size in (*SIZES, *LOW_DESKS):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(COVERED) == [], size
