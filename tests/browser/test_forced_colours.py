"""In forced colors mode, borders replace the information of colors and backgrounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import DESKTOP, PHONE, let_stand, open_panel, open_table
from tests.kit.staged import Staged, each, put

pytestmark = pytest.mark.slow

DRAWN = """selector => [...document.querySelectorAll(selector)].map((one) => {
  const { borderTopWidth, borderBottomWidth, outlineStyle } = getComputedStyle(one);
  return [borderTopWidth, borderBottomWidth, outlineStyle].join();
})"""


def differ(page: Page, one: str, other: str) -> bool:
    """Return whether the two kinds of elements never have the same borders."""
    first, second = (set(page.evaluate(DRAWN, selector)) for selector in (one, other))
    assert first
    assert second
    return not first & second


@pytest.mark.django_db(transaction=True)
def test_turns_choices_and_winners_are_marked_by_borders(person: Callable[..., Page]) -> None:
    page = person(PHONE, forced_colors="active")
    open_table(page, "Ann", "cards")
    moments = {one.kind: one for one in Staged("cards", players=5, pointsToWin=1).moments()}
    put(page, moments["play mine"].regions)
    assert differ(page, ".seat.you .name", ".seat:not(.you) .name")
    let_stand(page)
    page.locator(".tile").first.click()
    assert differ(page, ".tile:has(:checked)", ".tile:not(:has(:checked))")
    put(page, moments["play theirs"].regions)
    assert differ(page, ".seat.awaited .face", ".seat:not(.awaited) .face")
    open_panel(page, "log")
    assert differ(page, ".tabs [aria-selected=true]", ".tabs [aria-selected=false]")
    put(page, moments["over lost"].regions)
    assert differ(page, ".finish .winner .place", ".finish li:not(.winner) .place")


MAIN = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style = "forced-color-adjust: none; color: HighlightText; background: Highlight";
  const colours = (one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor];
  const wanted = colours(probe).join();
  probe.remove();
  const main = document.querySelectorAll(":is(#actions, #setup) :is(button, .button).main");
  return [...main].filter((one) => !one.disabled).map((one) => colours(one).join() === wanted);
}"""
OUTSIDE = """() => [...document.querySelectorAll(".seat.awaited .face")].filter((one) => {
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
  return outlineStyle !== "solid" || parseFloat(outlineWidth) + parseFloat(outlineOffset) > 1;
}).length"""
"""Faces without a border, or with an outer border that the stage or a neighbor may clip."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", GAMES)
def test_main_buttons_are_legible_and_turns_have_an_inner_outline(
    person: Callable[..., Page], game: str
) -> None:
    page = person(PHONE, forced_colors="active")
    open_table(page, "Ann", game)
    players, mains = min(6, GAMES[game].seats[1]), 0
    moments = list(Staged(game, players=players).moments(examples=(1,)))
    asked = f"() => [({MAIN})(), ({OUTSIDE})()]"
    for moment, size, (found, outside) in each(page, moments, (PHONE, DESKTOP), asked):
        mains += len(found)
        assert all(found), moment.kind
        assert not outside, (moment.kind, size)
    assert mains
