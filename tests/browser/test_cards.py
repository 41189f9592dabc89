"""Cards with hostile texts, seen by three players, a spectator and a user who leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.pages.templating import environment
from tests.kit.browser import (
    DESKTOP,
    PHONE,
    SMALLEST,
    act,
    join,
    let_stand,
    look,
    open_panel,
    open_table,
    start,
)
from tests.kit.cards_in_browsers import Round, bring, deck, go_on, play, seat, vote

pytestmark = pytest.mark.slow

People = Callable[..., Page]


@pytest.fixture
def sat(person: People) -> Round:
    """Seat everybody and start a match to two points, with hostile texts and open ballots."""
    ann, bob, cat, eve = person(DESKTOP), person(PHONE), person(SMALLEST), person(DESKTOP)
    open_table(ann, "Ann")
    bring(ann, deck())
    ann.goto("/new/cards/")
    ann.click("main details summary")
    ann.check("input[name=option-packs][value*=hostile]")
    ann.uncheck("input[name=option-packs][value=own]")
    ann.check("#option-revealBallots")
    for option, value in {"minPlayersToContinue": "2", "pointsToWin": "2"}.items():
        ann.fill(f"#option-{option}", value)
    ann.click("main button.main")
    ann.wait_for_url("**/t/*/")
    code = ann.url.rstrip("/").rsplit("/", 1)[-1]
    join(bob, code, "Bob")
    join(cat, code, "Cat")
    join(eve, code, "Eve", watch=True)
    start(ann)
    return Round(ann, bob, cat, eve)


def test_hostile_card_texts_are_shown_correctly_to_every_viewer(sat: Round) -> None:
    """One table covers all of this, because uploading a deck and seating four people is slow."""
    a_hand_can_be_covered(sat.ann)
    first = play(sat.ann)
    a_play_is_seen_by_nobody_else_before_all_have_played(sat, first)
    sat.ann.keyboard.press("Alt+s")
    words = [first, play(sat.bob), play(sat.cat)]
    what_can_be_done_is_covered_as_well(sat.ann)
    hostile_texts_are_shown_as_they_are(sat, words)
    ones_own_play_is_shown_and_cannot_be_voted_for(sat, words)
    for page in sat:
        look(page)
    vote(sat.ann, words[1])
    authors_are_seen_by_nobody_before_the_result(sat, words)
    vote(sat.bob, words[0])
    vote(sat.cat, words[0])
    a_round_is_counted_before_everybody(sat, words[0])
    the_next_begins_when_all_go_on(sat)
    again = [play(sat.ann)]
    the_round_before_is_looked_back_on(sat.bob, words[0])
    again += [play(sat.bob), play(sat.cat)]
    cards_are_thrown_away_for_a_point_and_nobody_sees_which(sat)
    vote(sat.ann, again[1])
    whoever_leaves_sees_no_more_than_a_watcher(sat)


def a_hand_can_be_covered(ann: Page) -> None:
    card = ann.locator(".act-playwhitecards .tile .own").first
    expect(card).to_be_visible()
    ann.keyboard.press("Alt+s")
    expect(card).to_be_hidden()
    ann.keyboard.press("Alt+s")
    expect(card).to_be_visible()


def a_play_is_seen_by_nobody_else_before_all_have_played(sat: Round, words: list[str]) -> None:
    expect(sat.ann.locator(".mine-play mark")).to_have_text(words)
    look(sat.ann)
    for page in (sat.bob, sat.cat, sat.eve):
        expect(page.locator(".progress")).to_have_text("1 of 3 have played")
        expect(seat(page, "Ann").locator(".has-played")).to_be_visible()
        assert not any(word in page.locator("#table").inner_text() for word in words)
        look(page)
    assert "own" in (sat.ann.locator(".mine-play").get_attribute("class") or "")


def what_can_be_done_is_covered_as_well(ann: Page) -> None:
    mine = ann.locator(".ballot li[data-yours]")
    expect(mine).to_have_css("opacity", "1")
    expect(ann.locator(".ballot input").first).to_be_hidden()
    ann.keyboard.press("Alt+s")
    expect(mine).not_to_have_css("opacity", "1")
    expect(ann.locator(".ballot input").first).to_be_visible()


def hostile_texts_are_shown_as_they_are(sat: Round, plays: list[list[str]]) -> None:
    words = [word for play in plays for word in play]
    assert all(word.startswith("<b>") and word.endswith("www") for word in words)
    marks = sat.eve.locator(".ballot mark")
    expect(marks).to_have_count(6)
    assert sorted(marks.all_text_contents()) == sorted(words)
    for page in sat:
        expect(page.locator(".deck-table .prompt-card > p").first).to_contain_text("<i>Why</i> ")
        assert page.locator("#table :is(b, u, i, script):not([class])").count() == 0
        assert page.title() != "x"
        assert "4459" not in page.locator("#table").inner_text()


def ones_own_play_is_shown_and_cannot_be_voted_for(sat: Round, plays: list[list[str]]) -> None:
    for page, own in zip(sat.players, plays, strict=True):
        mine = page.locator(".ballot li[data-yours]")
        expect(mine).to_have_attribute("data-yours", "yours")
        expect(mine.locator("mark")).to_have_text(own)
        expect(mine.locator("input")).to_be_disabled()
        expect(page.locator(".ballot input:enabled")).to_have_count(2)
        expect(page.locator("#hand")).to_be_hidden()
    sat.ann.locator(".ballot li", has_text=plays[2][0]).click()
    expect(sat.ann.locator("#board .filling")).to_have_text(plays[2])
    sat.ann.locator(".ballot li", has_text=plays[1][0]).click()
    expect(sat.ann.locator("#board .filling")).to_have_text(plays[1])


def authors_are_seen_by_nobody_before_the_result(sat: Round, plays: list[list[str]]) -> None:
    given = sat.ann.locator(".ballot li", has_text=plays[1][0])
    expect(given.locator("input")).to_be_checked()
    expect(sat.ann.locator(".ballot input:enabled")).to_have_count(0)
    expect(sat.ann.locator(".voted img")).to_have_count(2)
    look(sat.ann)
    for page in sat:
        expect(page.locator(".progress")).to_have_text("1 of 3 have voted")
        assert page.locator(".by").count() == 0
    nothing_is_for(sat.eve)


def nothing_is_for(watcher: Page) -> None:
    """Check that a spectator sees the cards played, but nothing private to a player."""
    expect(watcher.locator(".ballot li")).to_have_count(3)
    expect(watcher.locator(".ballot input").first).to_be_hidden()
    expect(watcher.locator("#hand")).to_be_hidden()
    assert watcher.locator("#actions form, [data-yours], .own:not(#status *)").count() == 0
    assert watcher.locator("#log-lines .private").count() == 0
    look(watcher)


def a_round_is_counted_before_everybody(sat: Round, words: list[str]) -> None:
    for page in sat:
        won = page.locator(".plays .won")
        expect(won).to_have_count(1)
        expect(won.locator("mark")).to_have_text(words)
        expect(won).to_contain_text("2 votes")
        expect(won).to_contain_text("+1 point")
        for at, name in enumerate(("Bob", "Cat")):  # ballots are open
            expect(won.locator(".votes img").nth(at)).to_have_attribute("alt", name)
        expect(won.locator("strong")).to_have_text("Ann")
        expect(page.locator(".answers > li")).to_have_count(2)
        expect(seat(page, "Ann").locator(".points")).to_contain_text("1")
        expect(seat(page, "Ann").locator(".of")).to_contain_text("2")
        look(page)


def the_next_begins_when_all_go_on(sat: Round) -> None:
    go_on(sat.bob)
    expect(sat.bob.locator(".sentence.own")).to_have_text("Waiting for Ann and Cat.")
    expect(sat.eve.locator(".sentence")).to_contain_text("Next round coming up.")
    go_on(sat.ann, sat.cat)


def the_round_before_is_looked_back_on(bob: Page, words: list[str]) -> None:
    before = bob.locator("details.before")
    before.locator("summary").click()
    expect(bob.locator(".progress")).to_have_text("1 of 3 have played")
    expect(before.locator(".won mark")).to_have_text(words)
    expect(before.locator(".won")).to_be_visible()
    look(bob)
    before.locator("summary").click()


def cards_are_thrown_away_for_a_point_and_nobody_sees_which(sat: Round) -> None:
    away = sat.ann.locator("#actions details.risky")
    expect(away.locator("summary")).to_contain_text("costs 1 point")
    expect(away.locator("form")).to_be_hidden()
    expect(sat.bob.locator("#actions details")).to_have_count(0)
    expect(sat.bob.locator(".disabled button")).to_be_disabled()
    expect(sat.bob.locator(".disabled")).to_contain_text("Costs one point. You have 0")
    let_stand(sat.ann)
    away.locator("summary").click()
    look(sat.ann)
    thrown = away.locator(".tile .own").all_text_contents()[:2]
    for at in range(2):
        away.locator(".tile input").nth(at).check()
    away.locator("form > button").click()
    for page in (sat.bob, sat.eve):
        expect(seat(page, "Ann").locator(".points strong")).to_have_text("0")
        expect(seat(page, "Ann").locator(".held")).to_contain_text("3")
        expect(page.locator("#log-lines")).to_contain_text("Ann discards 2 cards")
        assert not any(word in page.locator("#log-lines").inner_text() for word in thrown)
    expect(away).to_have_count(0)


def whoever_leaves_sees_no_more_than_a_watcher(sat: Round) -> None:
    code = sat.cat.url.rstrip("/").rsplit("/", 1)[-1]
    open_panel(sat.cat, "more")
    sat.cat.click(".sure summary")
    sat.cat.click(".sure button")
    sat.cat.wait_for_url(lambda address: "/t/" not in address)
    join(sat.cat, code, "Cat", watch=True)
    for page in (sat.bob, sat.cat, sat.eve):
        expect(page.locator(".progress")).to_have_text("1 of 2 have voted")
        assert page.locator(".by").count() == 0
    nothing_is_for(sat.cat)
    nothing_is_for(sat.eve)


GAP = """html => { document.querySelector("#board").innerHTML =
    `<div class="prompt-card"><p>${html}</p></div>`;
  const blank = document.querySelector("#board .blank"), next = document.createRange();
  next.setStart(blank.nextSibling, 1);
  next.setEnd(blank.nextSibling, 2);
  return next.getBoundingClientRect().left - blank.getBoundingClientRect().right; }"""


def test_word_after_a_blank_is_separated_by_a_space(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "cards")
    figures: Any = environment().get_template("cards/figures.html.jinja").module
    assert page.evaluate(GAP, figures.filled("Why _ so?", [])) > 2
    assert page.evaluate(GAP, figures.filled("Why _: so", [])) >= 0


def test_twenty_players_fit_on_the_smallest_phone(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "cards", bots=19, pointsToWin="1")
    start(page)
    expect(page.locator(".seat")).to_have_count(20)
    page.wait_for_selector(".act-playwhitecards")
    look(page)
    assert act(page)
    expect(page.locator(".ballot li")).to_have_count(20)
    look(page)
    assert act(page)
    expect(page.locator(".outcome :is(.won, li)")).to_have_count(20)
    look(page)
