"""Waiting rooms draw all free chairs. Charts with many lines highlight only some of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.pages.seats import ROUND
from games.registry import GAMES
from tests.kit.browser import DESKTOP, PHONE, SMALLEST, join, open_table

pytestmark = pytest.mark.slow

People = Callable[..., Page]

LOW: ViewportSize = {"width": 844, "height": 390}
SIZES = (SMALLEST, PHONE, LOW, DESKTOP)
CHAIRS = """() => [...document.querySelectorAll("#seats .chair .face")].filter((face) => {
  const { left, right, width, height } = face.getBoundingClientRect();
  const row = face.closest(".seats");
  const reached = row.scrollWidth > row.clientWidth || (left >= 0 && right <= innerWidth);
  return face.checkVisibility() && width >= 16 && height >= 16 && reached;
}).length"""
CUT = """() => {
  const scene = document.querySelector(".scene");
  const words = ".welcome :is(h2, code, [data-copy]), .chair:first-child .name, .seat .part";
  return [scene, ...document.querySelectorAll(words)].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    if (!one.checkVisibility()) return false;
    if (one === scene) return one.scrollHeight > one.clientHeight;
    const cut = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
    return left < 0 || right > innerWidth || cut;
  }).map((one) => one.className || one.tagName);
}"""
TOUCHING = """() => {
  const labels = [...document.querySelectorAll(".seat :is(.name, .part, .badge)")]
    .filter((one) => one.checkVisibility() && one.offsetWidth > 1)
    .map((one) => [one, one.closest(".seat"), one.getBoundingClientRect()]);
  const apart = (a, b) =>
    a.right < b.left || b.right < a.left || a.bottom <= b.top || b.bottom <= a.top;
  return labels.flatMap(([one, seat, box], at) => labels.slice(at + 1)
    .filter(([, other, its]) => other !== seat && !apart(box, its))
    .map(([other]) => `${one.textContent} touches ${other.textContent}`));
}"""
STROKE = """(look) => {
  document.body.innerHTML = `<figure class="chart"><div class="plot"><svg>${look.map((one) =>
    `<polyline class="${one}" points="1,5 29,5"/>`).join("")}</svg></div></figure>`;
  return look.map((one) => {
    const style = getComputedStyle(document.querySelector(`.${one}`));
    return [style.stroke, parseFloat(style.strokeWidth), style.strokeDasharray];
  });
}"""


@pytest.mark.parametrize("slug", list(GAMES))
def test_waiting_room_shows_every_free_chair(slug: str, person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", slug)
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(CHAIRS) == min(GAMES[slug].seats[1], ROUND) - 1, size


def test_german_waiting_room_is_not_truncated_on_a_small_phone(person: People) -> None:
    page = person(SMALLEST, locale="de-DE")
    open_table(page, "Ann")
    expect(page.locator(".chair .short").first).to_have_text("Einladen")
    for size in (SMALLEST, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate(CUT) == [], size


def test_label_of_the_host_touches_no_neighbour(person: People) -> None:
    """A viewer who does not play sees the host first, beside a bot."""
    code = open_table(person(PHONE, locale="de-DE"), "Anneliese", bots=7)
    page = person(PHONE, locale="de-DE")
    join(page, code, "Bob", watch=True)
    expect(page.locator(".seat:first-child .part")).to_have_text("Gastgeber")
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(TOUCHING) == [], size


def test_chart_highlights_only_your_line_and_the_leader(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann")
    own, first, rest = page.evaluate(STROKE, ["line-own", "line-first", "line-rest"])
    assert own[1] == first[1] > rest[1]
    assert len({own[0], first[0], rest[0]}) == 3
    assert own[2] == rest[2] == "none" != first[2]
