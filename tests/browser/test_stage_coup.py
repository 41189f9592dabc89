"""Iron Throne at a full table: everything an answer needs is visible at every screen size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.kit.browser import DESKTOP, let_stand, open_table
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import LOW_DESKS, SIZES, check_sizes, unseen
from tests.kit.staged import AT_SIZES, Moment, Staged, at_the_end, each, put, see_all
from tests.kit.touch import check_faces

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

MET = {
    *(f"action {eyes}" for eyes in ("mine", "theirs", "out", "watching")),
    *(f"challenge_window {eyes}" for eyes in ("mine", "theirs", "out", "watching")),
    *(f"over {eyes}" for eyes in ("won", "lost", "watching")),
}
PHONES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 740},
    {"width": 375, "height": 667},
    {"width": 667, "height": 375},
)
CUT = """() => {
  const scene = document.querySelector(".scene").getBoundingClientRect();
  return [...document.querySelectorAll(".lying > *")].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < scene.left || right > scene.right;
  }).length;
}"""


def needed(moment: Moment) -> tuple[str, ...]:
    if moment.phase == "over":
        return at_the_end(moment)
    chosen = moment.kind in ("lose_influence mine", "exchange mine")
    hand = "#actions .own" if chosen else "#hand .own-roles li"
    own = (hand,) if moment.eyes in ("mine", "theirs") else ()
    risks = ("#actions .hint",) if moment.kind == "action mine" else ()
    return (".chain .step", ".seat .face", ".seat .name", *own, *risks)


@AT_SIZES
def test_everything_needed_is_visible_in_every_phase(
    person: Callable[..., Page], sizes: Sequence[ViewportSize]
) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", "coup", bots=5)
    assert not check_sizes(page, ".welcome .code-large", ".seat .name")
    moments = list(Staged("coup").moments())
    assert {one.kind for one in moments} >= MET
    see_all(page, moments, needed, sizes)
    check_faces(page, 6, moments)


def test_cards_on_the_table_are_not_cut_at_the_sides(person: Callable[..., Page]) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", "coup", bots=5)
    moments = [one for one in Staged("coup").moments(examples=(1,)) if one.eyes == "watching"]
    assert "exchange" in {one.phase for one in moments}
    found = each(page, moments, (*SIZES, *PHONES), CUT)
    assert not [(moment.kind, size) for moment, size, cut in found if cut]


def test_choice_of_a_steal_target_is_visible_beside_the_clock(person: Callable[..., Page]) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", "coup", bots=5)
    moments = Staged("coup", startCoins=4).moments()
    put(page, next(one for one in moments if one.kind == "action mine").regions)
    let_stand(page)
    page.locator(".pick > summary", has_text="Steal").click()
    for size in (*SIZES, *LOW_DESKS, *PHONES):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        needed = (".pick[open] .choices button", "#status .clock", ".seat .face", ".chain .step")
        assert not unseen(page, *needed), size


def test_all_actions_are_visible_at_small_tables(person: Callable[..., Page]) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", "coup", bots=2)
    for players in (2, 3):
        moments = Staged("coup", players=players, startCoins=3).moments()
        see_all(page, [one for one in moments if one.kind == "action mine"], needed)


def test_tapping_selects_no_more_cards_to_keep_than_asked(
    person: Callable[..., Page],
) -> None:
    page = person(PHONES[0])
    open_table(page, "Ann", "coup", bots=5)
    moments = Staged("coup", seed=3).moments()
    put(page, next(one for one in moments if "Which 2 cards" in one.regions["status"]).regions)
    let_stand(page)
    tiles, keep = page.locator(".act-exchangekeep .tile"), page.locator(".act-exchangekeep .main")
    back = "one => getComputedStyle(one).getPropertyValue('--back')"
    quiet = keep.evaluate(back)
    for at in range(3):
        tiles.nth(at).click()
        assert (keep.evaluate(back) == quiet) == (at < 1)
    kept = tiles.evaluate_all("all => all.map((one) => one.querySelector('input').checked)")
    assert kept == [True, False, True, False]
