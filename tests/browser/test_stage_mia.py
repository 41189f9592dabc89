"""Mia at a full table: everything needed is visible in every phase at every screen size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browser import (
    act_and_wait,
    open_table,
    start,
    wait_for_change,
)
from tests.kit.staged import AT_SIZES, Moment, Staged, at_the_end, see_all
from tests.kit.touch import check_faces
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]

MET = {
    *(f"{phase} {eyes}" for phase in ("turn", "announce") for eyes in ("mine", "theirs", "out")),
    *(f"{phase} watching" for phase in ("turn", "announce", "result", "over")),
    *("result theirs", "result out", "over won", "over lost"),
}


def needed(moment: Moment) -> tuple[str, ...]:
    if moment.phase == "over":
        return at_the_end(moment)
    board = moment.regions["board"]
    found = ["#seats .seat .face", "#seats .lives"]
    found += ["#board .claim", "#board .claim .die"] if 'class="claim"' in board else []
    if 'class="uncovered"' in board:
        found += ["#board .uncovered .die", "#board .claim strong"]
    elif moment.phase != "result":
        found += ["#board .cup"]
    if moment.kind == "announce mine":
        found += ["#hand .die", "#hand strong"]
    return tuple(found)


@AT_SIZES
@pytest.mark.django_db(transaction=True)
def test_everything_needed_is_visible_at_every_size(
    person: People, sizes: Sequence[ViewportSize]
) -> None:
    page = person()
    open_table(page, "Ann")
    moments = list(Staged("mia", lives=2).moments())
    assert {one.kind for one in moments} >= MET
    assert max(one.regions["actions"].count("<button name") for one in moments) == 21
    see_all(page, moments, needed, sizes)
    check_faces(page, 8, moments)


def test_true_announcement_is_marked_unless_secrets_are_hidden(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia", bots=1)
    start(page)
    for _ in patiently("Ann never announces"):
        if page.locator("#actions.announcing").count():
            break
        act_and_wait(page)
        wait_for_change(page)
    if not page.locator("button.true:visible").count():
        return
    true = page.locator("button.true:visible")
    plain = page.locator("#actions .choices button:not(.true)").first
    look = "e => getComputedStyle(e).backgroundImage"
    assert true.evaluate(look) != plain.evaluate(look)
    page.evaluate("document.body.classList.add('is-covered')")
    assert true.evaluate(look) == plain.evaluate(look)
    expect(page.locator("#actions .truth:visible")).to_have_count(0)
    expect(page.locator("#hand .die").first).to_be_hidden()
