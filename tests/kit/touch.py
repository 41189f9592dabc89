"""Check that tap targets are at least 44 pixels wide and high, even with many at a small table."""

from __future__ import annotations

from collections.abc import Iterable

from playwright.sync_api import Page

from tests.kit.browser import PHONE, SMALLEST
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.staged import Moment, put

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
"""Width and height of the area around the middle of each face in which a tap hits it."""


def check_faces(page: Page, players: int, moments: Iterable[Moment]) -> None:
    """Check that each face of `players` can be tapped during another player's turn on any phone."""
    put(page, next(one.regions for one in moments if one.eyes == "theirs"))
    for size in (PHONE, SMALLEST):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        spans = page.evaluate(SPANS)
        assert len(spans) == players
        assert all(min(span) >= LEAST for span in spans), (size, spans)
