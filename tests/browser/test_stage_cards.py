"""Cards at tables of ten and twenty: everything needed is visible at every screen size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.acts_on_pages import (
    LINE,
    ShownAct,
    begin,
    show_before,
    shown_acts,
    step,
    stop_clock,
)
from tests.kit.browser import (
    PHONE,
    act_and_wait,
    let_stand,
    open_table,
    start,
)
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import SIZES
from tests.kit.staged import AT_SIZES, Moment, Staged, at_the_end, each, put, see_all
from tests.kit.touch import check_faces

pytestmark = pytest.mark.slow

People = Callable[..., Page]

PUSHED = """() => {
  for (const number of document.querySelectorAll(".nth")) number.textContent = "";
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message"));
}"""
"""Others' acts re-render the hand from the server's state, with nothing picked."""
NEEDED = {
    "play": ("#board .prompt-card", "#board .blank", ".progress"),
    "vote": (".vote > .prompt-card", ".ballot"),
    "results": ("#board .plays", "#board .won .by"),
}
OWN = {"play": ("#actions .tile",), "vote": (".act-vote button",)}
MET = {
    *(f"{phase} {eyes}" for phase in NEEDED for eyes in ("theirs", "watching")),
    *(f"{phase} mine" for phase in ("play", "vote")),
    *("over won", "over lost", "over watching"),
}


@AT_SIZES
@pytest.mark.parametrize("players", [10, 20])
@pytest.mark.django_db(transaction=True)
def test_everything_needed_is_visible_at_every_size(
    person: People, players: int, sizes: Sequence[ViewportSize]
) -> None:
    def needed(moment: Moment) -> tuple[str, ...]:
        if moment.phase == "over":
            return at_the_end(moment)
        own = OWN.get(moment.phase, ()) if moment.eyes == "mine" else ()
        seats = "#seats .seat .face" if players < 11 else "#seats .seats"
        return (*NEEDED[moment.phase], *own, seats)

    page = person()
    open_table(page, "Ann", "cards")
    many = players > 10  # twenty cards render slowly
    examples = (1,) if many else (1, 16)
    short = {"pointsToWin": 0, "maxRounds": 2} if many else {}
    staged = Staged("cards", players=players, **short)
    moments = list(staged.moments(examples=examples))
    assert {one.kind for one in moments} >= MET
    see_all(page, moments, needed, sizes)
    if players < 11:
        check_faces(page, players, moments)


def test_picked_card_fills_the_blank_and_is_hidden_with_the_hand(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "cards", bots=2)
    start(page)
    page.wait_for_selector(".act-playwhitecards .tile")
    expect(page.locator("#board .blank.own")).to_have_count(0)
    let_stand(page)
    first, second = (page.locator(".act-playwhitecards .tile").nth(at) for at in range(2))
    most = int(page.locator(".ticks").get_attribute("data-most") or 0)
    filling = page.locator("#board .blank .filling").first
    first.click()  # capitalized at the start of a sentence
    expect(filling).to_have_text(first.locator(".own").inner_text(), ignore_case=True)
    expect(first.locator(".nth")).to_have_text("1")
    if most == 1:
        second.click()
        expect(filling).to_have_text(second.locator(".own").inner_text(), ignore_case=True)
        expect(first.locator(".nth")).to_be_hidden()
    number = page.locator(".act-playwhitecards .nth:visible").first
    before = number.inner_text()
    page.evaluate(PUSHED)
    expect(number).to_have_text(before)
    page.keyboard.press("Alt+s")
    expect(filling).to_be_hidden()
    page.keyboard.press("Alt+s")
    expect(filling).to_be_visible()
    said = filling.inner_text()
    act_and_wait(page)
    if page.locator("#actions .mine-play").count():
        expect(filling).to_have_text(said)


WHOLE = """() => [...document.querySelectorAll(".ballot, .ballot :not(input)")].filter((one) => {
  const isHigher = one.scrollHeight - one.clientHeight > 1 && !one.matches(".ballot");
  return one.clientWidth && (isHigher || one.scrollWidth - one.clientWidth > 1);
}).map((one) => one.outerHTML)"""
"""Answers that are cut off. Their list may scroll."""
IN_SIGHT = """() => {
  const { bottom } = document.querySelector(".ballot").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const end = dock.left > 0 ? bottom : Math.min(bottom, dock.top);
  const inside = (one) => one.getBoundingClientRect().bottom <= end + 1;
  return [...document.querySelectorAll(".ballot > li")].filter(inside).length;
}"""


TYPE = "getComputedStyle(document.querySelector('.vote > .prompt-card')).fontSize"


@pytest.mark.django_db(transaction=True)
def test_answers_in_a_vote_are_not_truncated_and_the_hand_is_hidden(person: People) -> None:
    page = person()
    open_table(page, "Ann", "cards")
    votes = [
        one for one in Staged("cards", players=6).moments(examples=(1, 7)) if one.phase == "vote"
    ]
    assert votes
    for moment in votes:
        put(page, moment.regions)
        for size, least in zip(SIZES, (3, 4, 2, 4), strict=True):
            page.set_viewport_size(size)
            page.evaluate(TWO_FRAMES)
            assert page.evaluate(WHOLE) == [], size
            assert page.evaluate(IN_SIGHT) >= least, size
            expect(page.locator("#hand")).to_be_hidden()
            if moment.eyes != "mine":
                continue
            type_ = page.evaluate(TYPE)
            page.locator(".ballot input:enabled").last.check(force=True)
            assert page.evaluate(TYPE) == type_, size  # leaves room for the answers
            assert page.locator(".vote .blank.own").count()


@pytest.mark.django_db(transaction=True)
def test_winning_sentences_are_not_truncated(person: People) -> None:
    page = person()
    open_table(page, "Ann", "cards")
    shared = next(
        one
        for one in Staged("cards", seed=2, players=6).moments(examples=range(1, 99))
        if one.phase == "results" and one.regions["board"].count("prompt-card won") > 1
    )
    put(page, shared.regions)
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        for won in page.locator(".outcome > .won").all():
            won.scroll_into_view_if_needed()
            assert won.evaluate("e => e.scrollHeight <= e.clientHeight"), size
            expect(won.locator(".by strong")).to_be_in_viewport(ratio=1)
            expect(won.locator(".badge")).to_have_text("+1 point")
            expect(won.locator(".votes img")).to_have_count(0)  # ballots are secret


SHARED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()];
  });
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const others = boxes("#moment .authors :is(.portrait, .scored)");
  const lines = boxes("#moment .best > *");
  return [...document.querySelectorAll("#moment .best > *")].flatMap((card) => {
    const size = parseFloat(getComputedStyle(card).fontSize);
    return [
      ...(card.scrollHeight > card.clientHeight ? ["a sentence is cut"] : []),
      ...(size < 11 ? [`the type is ${size} pixels`] : []),
    ];
  }).concat(lines.some((line) => others.some((one) => meet(line, one))) ? ["words meet"] : []);
}"""
"""Return the layout faults of a shared round: sentences that are cut, or that overlap."""


@pytest.mark.parametrize("winners", [2, 3])
@pytest.mark.django_db(transaction=True)
def test_sentences_that_share_a_round_are_whole_beside_their_authors(
    shown_to: People, settings: Any, winners: int
) -> None:
    settings.BEATS = 1.0
    match = Staged("cards", seed=2, players=6, pointsToWin=30)
    acts = shown_acts(match, ("watching",), of_a_kind=99)
    act = next(one for one in acts if f'class="authors n{winners} ' in "".join(one.frames))
    page = shown_to(LINE, viewport=PHONE)
    page.clock.install()
    open_table(page, "Ann", "cards")
    stop_clock(page)
    for size in SIZES:
        page.set_viewport_size(size)
        show_before(page, act)
        begin(page, act)
        step(page, act.told - 100)
        assert page.evaluate(SHARED) == [], size
        assert page.locator("#moment .best mark").count() >= winners
        step(page, 1000)
        assert page.evaluate(SHARED) == [], size
        assert page.locator("#moment .authors figure").count() == winners


CUT = """() => [...document.querySelectorAll(".seat .name")]
  .filter((one) => one.innerText.length <= 5 && one.scrollWidth > one.clientWidth)
  .map((one) => one.innerText)"""


@pytest.mark.django_db(transaction=True)
def test_names_of_five_letters_are_whole_at_a_table_of_twenty(person: People) -> None:
    page = person()
    open_table(page, "Petra", "cards", bots=19)
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(CUT) == [], size


CIRCLES = """() => [...document.querySelectorAll(".ballot input")].map((one) => {
  return [one.checkVisibility({ visibilityProperty: true }), one.checked];
})"""
"""Each answer's circle: whether it is visible, and whether it is checked."""


@pytest.mark.django_db(transaction=True)
def test_voters_see_no_circle_except_that_of_their_vote(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "cards")
    votes = [one for one in Staged("cards", players=4).moments() if one.phase == "vote"]
    voted = [one for one in votes if "data-vote" in one.regions["actions"]]
    asked = [one for one in votes if one.eyes == "mine"]
    assert voted
    assert asked
    for _, _, circles in each(page, voted, (PHONE,), CIRCLES):
        assert [checked for visible, checked in circles if visible] == [True]
    for _, _, circles in each(page, asked, (PHONE,), CIRCLES):
        assert all(visible for visible, _ in circles)


LANDS = 400
"""Milliseconds until the sentence of an answer has its final size."""
SAID = """() => [...document.querySelectorAll("#told > *")].map((one) => one.textContent)"""
READ = """() => [...document.querySelectorAll("#moment .read")]
  .filter((one) => one.checkVisibility()).map((one) => {
    const [card, number] = [".prompt-card", ".nth"].map((part) => one.querySelector(part));
    const words = document.createRange();
    words.selectNodeContents(card.firstElementChild);
    const [text, below] = [words, number].map((part) => part.getBoundingClientRect());
    return {
      number: number.textContent,
      cut: card.scrollHeight > card.clientHeight + 1,
      covered: text.bottom > below.top + 1,
      moves: one.getAnimations({ subtree: true }).length > 0,
    };
  })"""
"""The visible answers of the animation, and their layout faults."""


def reading(page: Page, staged: Staged) -> ShownAct:
    """Open a table with a stopped clock. Return the act that shows the answers of a round."""
    page.clock.install()
    open_table(page, "Ann", "cards")
    stop_clock(page)
    return next(one for one in shown_acts(staged, ("asked",)) if one.stages == ("reading",))


@pytest.mark.parametrize("players", [3, 6, 20])
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.django_db(transaction=True)
def test_each_answer_is_read_once_before_the_vote(
    shown_to: People, settings: Any, players: int, motion: str
) -> None:
    settings.BEATS = 1.0
    page = shown_to(LINE, viewport=PHONE, reduced_motion=motion)
    act = reading(page, Staged("cards", players=players))
    for size in SIZES:
        page.set_viewport_size(size)
        show_before(page, act)
        page.evaluate("document.querySelector('#told').replaceChildren()")
        begin(page, act)
        said = []
        for number in range(1, players + 1):
            step(page, LANDS)
            (shown,) = page.evaluate(READ)
            assert shown["number"] == f"Answer {number} of {players}", size
            assert not shown["cut"], (size, shown)
            assert not shown["covered"], (size, shown)
            assert not (motion == "reduce" and shown["moves"])
            said += [one for one in page.evaluate(SAID) if one.startswith(f"Answer {number} ")]
            step(page, act.told // players - LANDS)
        step(page, 20)
        assert len(said) == len(set(said)) == players
        assert all(len(one) > 30 for one in said)
        assert not page.evaluate(READ)
        expect(page.locator(".ballot li")).to_have_count(players)
        assert not [one for one in page.evaluate(SAID) if one not in said and "Answer" in one]
