"""Where a system forces its colours, lines tell what colours and grounds told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.kit.browser import PHONE, let_stand, open_panel, open_table
from tests.kit.staged import Staged, put

DRAWN = """selector => [...document.querySelectorAll(selector)].map((one) => {
  const { borderTopWidth, borderBottomWidth, outlineStyle } = getComputedStyle(one);
  return [borderTopWidth, borderBottomWidth, outlineStyle].join();
})"""


def differ(page: Page, one: str, other: str) -> bool:
    """Whether all of one kind have other lines than all of another."""
    first, second = (set(page.evaluate(DRAWN, selector)) for selector in (one, other))
    assert first
    assert second
    return not first & second


@pytest.mark.django_db(transaction=True)
def test_turns_choices_and_winners_are_told_by_lines(person: Callable[..., Page]) -> None:
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
