"""Cards as three people, a watcher and somebody who leaves see it, with texts that mean no good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from games.templating import environment
from tests.kit.browser import (
    DESKTOP,
    PHONE,
    SMALLEST,
    act,
    join,
    let_stand,
    look,
    open_table,
    start,
)

People = Callable[..., Page]

PROMPT = "<i>Why</i> {n:02} & 'x' _, then _"
MARKUP = "<b>{n:02}</b></mark></p><script>document.title='x'</script>"
ANSWER = MARKUP + " {{{{ 7*7*91 }}}} %(who)s _ שלום "
"""Markup, a template, a blank that is none, another direction; then a word wider than a phone."""


class Round(NamedTuple):
    """A table of three with one who watches, nobody has played."""

    ann: Page
    bob: Page
    cat: Page
    eve: Page

    @property
    def players(self) -> tuple[Page, Page, Page]:
        return self.ann, self.bob, self.cat


def deck() -> str:
    lines = ["kind,text,pick", *(f'prompt,"{PROMPT.format(n=n)}",2' for n in range(9))]
    lines += [f'answer,"{ANSWER.format(n=n):w<150}",' for n in range(60)]
    return "\n".join(lines)


def bring(page: Page, text: str) -> None:
    page.goto("/decks/new/")
    page.fill("#id_name", "Hostile")
    page.fill("#id_text", text)
    page.click("main form button.main")
    page.click("button[name=keep]")
    page.wait_for_url("**/decks/*hostile*/")


@pytest.fixture
def sat(person: People) -> Round:
    """Everybody in, the match started with a deck of hostile texts, ballots open, to two points."""
    ann, bob, cat, eve = person(DESKTOP), person(PHONE), person(SMALLEST), person(DESKTOP)
    open_table(ann, "Ann")
    bring(ann, deck())
    ann.goto("/new/cards/")
    ann.click("details summary")
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


def play(page: Page) -> list[str]:
    """Play the first two cards in hand; return what they say."""
    page.wait_for_selector(".act-playwhitecards")
    words = page.locator(".act-playwhitecards .tile .own").all_text_contents()[:2]
    assert act(page)
    expect(page.locator(".act-playwhitecards")).to_have_count(0)
    return words


def vote(page: Page, words: list[str]) -> None:
    """Votes for the play with these answers."""
    page.wait_for_selector(".act-vote")
    let_stand(page)
    page.locator(".act-vote button:enabled", has_text=words[0]).click()
    expect(page.locator(".act-vote")).to_have_count(0)


def go_on(*pages: Page) -> None:
    for page in pages:
        page.wait_for_selector(".act-continue")
        assert act(page)


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat").filter(has=page.get_by_text(name, exact=True))


def test_a_play_is_seen_by_nobody_else_before_all_have_played(sat: Round) -> None:
    words = play(sat.ann)
    expect(sat.ann.locator(".mine-play mark")).to_have_text(words)
    look(sat.ann)
    for page in (sat.bob, sat.cat, sat.eve):
        expect(page.locator(".progress")).to_have_text("1 of 3 have played")
        expect(seat(page, "Ann").locator(".has-played")).to_be_visible()
        assert not any(word in page.locator("#table").inner_text() for word in words)
        look(page)
    assert "own" in (sat.ann.locator(".mine-play").get_attribute("class") or "")


def test_ones_own_play_is_shown_and_cannot_be_voted_for(sat: Round) -> None:
    words = [play(page) for page in sat.players]
    for page, own in zip(sat.players, words, strict=True):
        mine = page.locator(".act-vote button.mine")
        expect(mine).to_be_disabled()
        expect(mine).to_contain_text("This is yours: you cannot vote for it.")
        expect(mine.locator("mark")).to_have_text(own)
        expect(page.locator(".act-vote button:enabled")).to_have_count(2)
        expect(page.locator(".plays.shown")).to_be_hidden()
        look(page)


def test_authors_are_seen_after_the_own_vote_and_by_no_watcher_or_leaver(sat: Round) -> None:
    words = [play(page) for page in sat.players]
    vote(sat.ann, words[1])
    expect(sat.ann.locator(".named .by strong")).to_have_count(3)
    by_bob = sat.ann.locator(".named li", has_text=words[1][0])
    expect(by_bob.locator("strong")).to_have_text("Bob")
    expect(by_bob).to_contain_text("your vote")
    look(sat.ann)
    code = sat.cat.url.rstrip("/").rsplit("/", 1)[-1]
    sat.cat.click(".sure summary")
    sat.cat.click(".sure button")
    sat.cat.wait_for_url(lambda address: "/t/" not in address)
    join(sat.cat, code, "Cat", watch=True)
    for page in (sat.bob, sat.cat, sat.eve):
        expect(page.locator(".progress")).to_have_text("1 of 2 have voted")
        assert page.locator(".named, .by").count() == 0
    for page in (sat.cat, sat.eve):
        expect(page.locator(".plays.shown li")).to_have_count(3)
        expect(page.locator("#hand")).to_be_hidden()
        assert page.locator("#actions form, .mine, .own:not(#status *)").count() == 0
        assert page.locator("#log-lines .private").count() == 0
        look(page)


def test_a_round_is_counted_before_everybody(sat: Round) -> None:
    words = [play(page) for page in sat.players]
    for page, at in zip(sat.players, (1, 0, 0), strict=True):
        vote(page, words[at])
    for page in sat:
        won = page.locator(".plays .won")
        expect(won).to_have_count(1)
        expect(won.locator("mark")).to_have_text(words[0])
        expect(won).to_contain_text("2 votes")
        expect(won).to_contain_text("(Bob, Cat)")
        expect(won.locator(".votes .thumb")).to_have_count(2)
        expect(page.locator(".plays li").first.locator("strong")).to_have_text("Ann")
        expect(seat(page, "Ann").locator(".points")).to_contain_text("1")
        expect(seat(page, "Ann").locator(".of")).to_contain_text("2")
        look(page)
    go_on(sat.bob)
    expect(sat.eve.locator(".note")).to_have_text("Ready to go on: Bob")
    go_on(sat.ann, sat.cat)
    before = sat.bob.locator("details.before")
    before.locator("summary").click()
    play(sat.ann)
    expect(sat.bob.locator(".progress")).to_have_text("1 of 3 have played")
    expect(before.locator(".won mark")).to_have_text(words[0])
    expect(before.locator(".won")).to_be_visible()
    look(sat.bob)


def test_cards_are_thrown_away_for_a_point_and_nobody_sees_which(sat: Round) -> None:
    words = [play(page) for page in sat.players]
    for page, at in zip(sat.players, (1, 0, 0), strict=True):
        vote(page, words[at])
    go_on(*sat.players)
    for page in sat.players:
        play(page)
    away = sat.ann.locator("#actions details.risky")
    expect(away.locator("summary")).to_contain_text("costs 1 point")
    expect(away.locator("form")).to_be_hidden()
    expect(sat.bob.locator("#actions details")).to_have_count(0)
    expect(sat.bob.locator(".disabled button")).to_be_disabled()
    expect(sat.bob.locator(".disabled")).to_contain_text("costs one point, and you have 0")
    let_stand(sat.ann)
    away.locator("summary").click()
    look(sat.ann)
    thrown = away.locator(".tile .own").all_text_contents()[:2]
    for at in range(2):
        away.locator(".tile input").nth(at).check()
    away.locator("fieldset > button").click()
    for page in (sat.bob, sat.eve):
        expect(seat(page, "Ann").locator(".points strong")).to_have_text("0")
        expect(seat(page, "Ann").locator(".held")).to_contain_text("3")
        expect(page.locator("#log-lines")).to_contain_text("Ann discards 2 cards")
        assert not any(word in page.locator("#log-lines").inner_text() for word in thrown)
    expect(away).to_have_count(0)


def test_covered_cards_are_seen_neither_in_the_hand_nor_among_what_can_be_done(sat: Round) -> None:
    card = sat.ann.locator(".act-playwhitecards .tile .own").first
    expect(card).to_be_visible()
    sat.ann.keyboard.press("Alt+s")
    expect(card).to_be_hidden()
    for page in sat.players:
        play(page)
    expect(sat.ann.locator(".act-vote button.mine")).to_be_hidden()
    expect(sat.ann.locator(".own-cards li").first).to_be_hidden()


def test_hostile_texts_are_shown_as_they_are(sat: Round) -> None:
    words = [word for page in sat.players for word in play(page)]
    assert all(word.startswith("<b>") and word.endswith("www") for word in words)
    marks = sat.eve.locator(".plays.shown mark")
    expect(marks).to_have_count(6)
    assert sorted(marks.all_text_contents()) == sorted(words)
    for page in sat:
        expect(page.locator(".deck-table .prompt-card > p").first).to_contain_text("<i>Why</i> ")
        assert page.locator("#table :is(b, u, i, script)").count() == 0
        assert page.title() != "x"
        assert "4459" not in page.locator("#table").inner_text()
        look(page)


GAP = """html => { document.querySelector("#board").innerHTML =
    `<div class="prompt-card"><p>${html}</p></div>`;
  const blank = document.querySelector("#board .blank"), next = document.createRange();
  next.setStart(blank.nextSibling, 1);
  next.setEnd(blank.nextSibling, 2);
  return next.getBoundingClientRect().left - blank.getBoundingClientRect().right; }"""


def test_a_word_after_a_blank_is_a_word_of_its_own(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "cards")
    figures: Any = environment().get_template("cards/figures.html.jinja").module
    assert page.evaluate(GAP, figures.filled("Why _ so?", [])) > 2
    assert page.evaluate(GAP, figures.filled("Why _: so", [])) >= 0


def test_twenty_fit_on_the_smallest_phone(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "cards", bots=19, pointsToWin="1")
    start(page)
    expect(page.locator(".seat")).to_have_count(20)
    page.wait_for_selector(".act-playwhitecards")
    look(page)
    assert act(page)
    expect(page.locator(".act-vote button")).to_have_count(20)
    look(page)
    assert act(page)
    expect(page.locator(".plays li")).to_have_count(20)
    look(page)
