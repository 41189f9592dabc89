"""The end of a match: first the winner, then the podium and the evening's score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.registry import GAMES
from tests.kit.browser import open_table
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import SIZES
from tests.kit.staged import MANY, Moment, Staged, put

pytestmark = pytest.mark.slow

People = Callable[..., Page]

SHARES = dict(zip(((one["width"], one["height"]) for one in SIZES), (65, 70, 55, 55), strict=True))
"""Minimum share of the window for the end, in percent."""
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
WHOLE = {"cards": {"pointsToWin": 5}}
"""Options for a match of the usual length, which has more to look back on."""
LOW: ViewportSize = {"width": 740, "height": 360}
OVERFLOW = """() => {
  const { scrollHeight, clientHeight } = document.querySelector("#ending");
  return scrollHeight - clientHeight;
}"""
SHARE = """() => {
  const { width, height } = document.querySelector("#ending").getBoundingClientRect();
  return 100 * width * height / innerWidth / innerHeight;
}"""
CUT = """() => {
  const { bottom } = document.querySelector("#ending").getBoundingClientRect();
  const words = document.querySelector("#ending :is(.decisive, .curtain)");
  const text = document.createRange();
  text.selectNodeContents(words);
  const { bottom: above } = text.getBoundingClientRect();
  return [...document.querySelectorAll(".finish li")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.bottom > bottom + 1 || box.top < above - 1;
  }).map((one) => one.innerText);
}"""
"""Places on a television that reach over its edge or into the words above."""
STANDS = """() => [...document.querySelectorAll(".finish .stand")].map((one) => {
  const { left, width } = one.getBoundingClientRect();
  const { top } = one.querySelector(".block").getBoundingClientRect();
  return [Number(one.querySelector(".place").textContent), left + width / 2, top];
})"""
"""Each player's place on the podium, with its center and top."""

LINES = """() => {
  const many = (one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    const { height } = text.getBoundingClientRect();
    return Math.round(height / parseFloat(getComputedStyle(one).lineHeight));
  };
  const box = (one) => one.getBoundingClientRect();
  const beside = (stand) => {
    const [name, place] = [".name", ".place"].map((one) => box(stand.querySelector(one)));
    return name.top < place.bottom && place.top < name.bottom;
  };
  const chips = [...document.querySelectorAll("#ending .evening li")]
    .filter((one) => one.checkVisibility());
  const { right } = box(document.querySelector("#ending .evening"));
  return {
    podium: [...document.querySelectorAll(".finish .stand")].map(beside),
    evening: chips.map((one) => many(one.querySelector(".name"))),
    wide: chips.filter((one) => box(one).right > right + 1).map((one) => one.innerText),
  };
}"""
"""On the podium: whether each name is beside its place. In the evening's score: how many lines each
name takes, and entries wider than the list."""


BROKEN = """() => {
  const [text] = document.querySelector("#ending .verdict").childNodes;
  const lines = (word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const words = [...text.data.matchAll(/[^ ]+/g)];
  return words.filter((word) => lines(word) > 1).map(([word]) => word);
}"""
"""Words of the headline that a line break divides."""
CROWNED = "document.body.classList.add('is-crowning')"
OVERLAP = """() => {
  const faces = [...document.querySelectorAll(".finish .stand > .face")].map((one) => {
    const { left, width } = one.getBoundingClientRect();
    return [left + width / 2, 0.43 * width];  // the circle inside the drawing
  });
  return faces.filter(([x, radius], at) => faces.some(([other, its], to) =>
    to > at && Math.abs(x - other) < radius + its - 0.5)).length;
}"""
"""The number of faces on the podium that overlap another."""
HIDDEN_REASON = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector("#ending .because"));
  const [words, way] = [text, document.querySelector(".beside")]
    .map((one) => one.getBoundingClientRect());
  return words.right > way.left && words.bottom > way.top;
}"""
"""Whether the way in, on a television, covers the reason why the match ended."""


class Lengthy(Staged):
    """Players with a name of one long word."""

    names = ("Ann", "Donaudampfschiffskap", "Cleo", "Dora", "Emil")


class German(Staged):
    language = "de"


class Mixed(Staged):
    """Players with very short and very long names."""

    names = ("Bo", "Christopher", "Al", "Maximilian-Alexander", "Jo", "Christina")


@pytest.mark.parametrize("game", ["cards", "coup", "mia"])
@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.django_db(transaction=True)
def test_short_names_are_laid_out_like_long_ones(person: People, game: str, players: int) -> None:
    page = person()
    open_table(page, "Ann", game)
    staged = Mixed(game, players=players, **WHOLE.get(game, {}))
    staged.play_out()
    put(page, next(one.regions for one in staged.moments() if one.eyes == "watching"))
    for size in (*SIZES, LOW):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        lines = page.evaluate(LINES)
        assert len(set(lines["podium"])) == 1, (size, lines)
        assert set(lines["evening"]) == {1}, (size, lines)
        assert not lines["wide"], (size, lines)


def _end(game: str, players: int = 0, **options: Any) -> dict[str, Moment]:
    """Return the last moment of a match, by viewer."""
    staged = Staged(game, players=players, **{**WHOLE.get(game, {}), **options})
    staged.play_out()
    return {one.eyes: one for one in staged.moments()}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db(transaction=True)
def test_end_screen_fills_the_window_with_details_collapsed(person: People, game: str) -> None:
    page, television = person(), person(TELEVISION)
    television.goto(f"/t/{open_table(page, 'Ann', game)}/screen/")
    for moment in _end(game, min(6, GAMES[game].seats[1])).values():
        put(page, moment.regions)
        expect(page.locator("#ending .how > summary")).to_have_count(1)
        expect(page.locator("#ending .looking-back, #ending .decided")).not_to_have_count(0)
        assert not page.locator("#ending .how").get_attribute("open")
        for size in (*SIZES, LOW):
            page.set_viewport_size(size)
            page.evaluate(TWO_FRAMES)
            share = SHARES.get((size["width"], size["height"]), 0)
            assert page.evaluate(SHARE) >= share, (size, moment.kind)
            assert page.evaluate(OVERFLOW) <= 0, (size, moment.kind)
    put(television, {id: moment.regions[id] for id in ("status", "board", "ending")})
    assert television.evaluate(CUT) == []


@pytest.mark.django_db(transaction=True)
def test_headline_never_divides_a_long_name(person: People) -> None:
    page, television = person(), person(TELEVISION)
    television.goto(f"/t/{open_table(page, 'Ann', 'coup')}/screen/")
    staged = Lengthy("coup", players=3)
    staged.play_out()
    end = {one.eyes: one.regions for one in staged.moments()}
    put(page, end["lost"])
    expect(page.locator("#ending .verdict")).to_have_text("Donaudampfschiffskap wins!")
    put(television, {id: end["watching"][id] for id in ("status", "board", "ending")})
    assert television.evaluate(BROKEN) == []
    assert television.evaluate(CUT) == []
    for alone in (False, True):
        if alone:
            page.evaluate(CROWNED)
        for size in SIZES:
            page.set_viewport_size(size)
            page.evaluate(TWO_FRAMES)
            assert page.evaluate(BROKEN) == [], (size, alone)
            assert page.evaluate(OVERFLOW) <= 0, (size, alone)
    television.evaluate(CROWNED)
    assert television.evaluate(BROKEN) == []
    assert not television.evaluate(HIDDEN_REASON)


@pytest.mark.django_db(transaction=True)
def test_winners_who_tie_are_named_and_losers_read_their_place(person: People) -> None:
    page = person()
    open_table(page, "Ann", "cards")
    staged = Staged("cards", seed=2, players=4, pointsToWin=3)
    staged.play_out()
    put(page, next(one.regions for one in staged.moments() if one.eyes == "lost"))
    expect(page.locator("#ending .verdict")).to_have_text("Cleo and Dora win!")
    expect(page.locator("#ending .came")).to_contain_text("You came third.")
    put(page, _end("secret_hitler", 5)["lost"].regions)
    expect(page.locator("#ending .verdict")).to_have_text("You lose.")
    expect(page.locator("#ending .came")).to_have_count(0)


@pytest.mark.django_db(transaction=True)
def test_faces_of_a_podium_of_five_do_not_overlap(person: People) -> None:
    page, television = person(), person(TELEVISION)
    television.goto(f"/t/{open_table(page, 'Ann', 'cards')}/screen/")
    regions = _end("cards", 5)["watching"].regions
    put(page, regions)
    expect(page.locator("#ending .stand")).to_have_count(5)
    for size in (*SIZES, LOW):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(OVERLAP) == 0, size
    put(television, {id: regions[id] for id in ("status", "board", "ending")})
    assert television.evaluate(OVERLAP) == 0


@pytest.mark.parametrize("players", [8, MANY])
@pytest.mark.django_db(transaction=True)
def test_end_screen_of_many_players_fits_the_smallest_phone(person: People, players: int) -> None:
    page = person(SIZES[0])
    open_table(page, "Ann", "cards")
    for moment in _end("cards", players).values():
        put(page, moment.regions)
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(OVERFLOW) <= 0, moment.kind


@pytest.mark.django_db(transaction=True)
def test_end_screen_fits_if_all_others_share_the_second_place(person: People) -> None:
    page = person()
    open_table(page, "Ann", "cards")
    put(page, _end("cards", 6, pointsToWin=2)["lost"].regions)
    expect(page.locator("#ending .stand")).to_have_count(1)
    for size in (*SIZES, LOW):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(OVERFLOW) <= 0, size


@pytest.mark.django_db(transaction=True)
def test_winner_is_in_the_middle_if_four_others_share_the_second_place(person: People) -> None:
    page = person()
    open_table(page, "Ann", "cards")
    put(page, _end("cards", 5, seed=3, pointsToWin=2)["watching"].regions)
    stands = page.evaluate(STANDS)
    assert [place for place, _, _ in stands] == [1, 2, 2, 2, 2]
    left = [one for one in stands if one[1] < stands[0][1]]
    right = [one for one in stands if one[1] > stands[0][1]]
    assert len(left) == len(right)


@pytest.mark.django_db(transaction=True)
def test_reason_is_in_the_language_of_the_viewer(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    staged = German("mia", players=3)
    staged.play_out()
    put(page, next(one.regions for one in staged.moments()))
    expect(page.locator("#ending .because")).to_contain_text("alle anderen sind raus.")


@pytest.mark.django_db(transaction=True)
def test_end_screen_is_static_with_reduced_motion_and_ranks_by_height(
    person: People,
) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    end = _end("mia", 5)
    put(page, end["won"].regions)
    expect(page.locator("body.is-crowning, .confetti")).to_have_count(0)
    expect(page.locator("#ending .finish .winner .face")).to_be_visible()
    runs = "document.getAnimations().filter((one) => one.effect.target.closest('#ending')).length"
    assert page.evaluate(runs) == 0
    put(page, end["watching"].regions)
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        places = {place: (x, top) for place, x, top in page.evaluate(STANDS)}
        assert places[2][0] < places[1][0] < places[3][0]
        assert places[1][1] < places[2][1] < places[3][1]


@pytest.mark.django_db(transaction=True)
def test_winner_is_shown_alone_before_the_evening_score_counts_up(person: People) -> None:
    page = person(animated=True, own=True)
    open_table(page, "Ann", "mia")
    page.wait_for_function("document.querySelector('script[src*=moments]')")
    lost = _end("mia", 3)["lost"]
    put(page, lost.regions)
    expect(page.locator("body.is-crowning")).to_have_count(1)
    expect(page.locator("#ending .champions img")).to_be_visible()
    expect(page.locator("#ending .finish")).to_be_hidden()
    expect(page.locator("#ending .came")).to_contain_text("You came")
    expect(page.locator("body.is-rising")).to_have_count(1)
    expect(page.locator("#ending .champions")).to_be_hidden()
    expect(page.locator("#ending .finish .winner .face")).to_be_visible()
    expect(page.locator("#ending .evening .won").first).to_have_text("2+2")
