"""With text at 150 % some parts scroll, but nothing overlaps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import PHONE, SMALLEST, open_table
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.staged import MANY, Staged, put

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LARGE = "document.documentElement.style.fontSize = '24px'"
OUT_OF_REACH = """() => {
  const under = (one) => {
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !one.contains(hit) && !hit?.contains(one);
  };
  const asked = "#hand, #status :is(.sentence, time), #actions :is(button, summary):enabled";
  const drawn = (one) => one.offsetWidth > 1 && one.checkVisibility({ visibilityProperty: true });
  const parts = ["#seats", ".scene", ".dock", ".tabs"].map((one) => document.querySelector(one));
  const edges = parts.map((one) => one.getBoundingClientRect());
  return [
    ...[...document.querySelectorAll(asked)].filter((one) => drawn(one) && under(one))
      .map((one) => one.outerHTML),
    ...parts.slice(1).filter((_, at) => edges[at].bottom > edges[at + 1].top + 1).map((one) => {
      return `${one.className} begins before what is above it ends`;
    }),
  ];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_every_action_is_reachable_with_large_text(person: Callable[..., Page], game: str) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    page.evaluate(LARGE)
    staged = Staged(game, players=min(MANY, GAMES[game].seats[1]))
    asked = [one for one in staged.moments(examples=(1,)) if one.eyes == "mine"]
    assert asked
    for size in (SMALLEST, PHONE):
        page.set_viewport_size(size)
        for moment in asked:
            put(page, moment.regions)
            page.evaluate(TWO_FRAMES)
            found = page.evaluate(OUT_OF_REACH)
            assert not found, f"{moment.kind} at {size}: {found}"
