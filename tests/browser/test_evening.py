"""Three people at a table play Cards, then Mia, then Iron Throne, without a reload."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    PHONE,
    join,
    let_stand,
    look,
    open_panel,
    open_table,
    play_on,
    start,
)
from tests.kit.cards_in_browsers import play

pytestmark = pytest.mark.slow

People = Callable[..., Page]


SCRIPTS = """() => [...document.scripts].map(({ src }) => src.match(/games\\/\\w+\\/[a-z]+/)?.[0])
  .filter(Boolean).sort()"""
"""Scripts of games that a page has loaded."""


def plays(page: Page, game: str, name: str) -> None:
    """Check that the page has this game's name, colors, two style sheets and rules."""
    expect(page.locator("#called")).to_have_attribute("data-name", name)
    expect(page.locator(f"body.game-{game}")).to_be_visible()
    expect(page.locator("link[data-look]")).to_have_count(2)
    expect(page.locator(f"link[data-look][href*={game}]")).to_have_count(2)
    assert name in page.title()
    expect(page.locator("#manual h2")).to_have_text(f"Rules of {name}")


def choose(page: Page, button: str, game: str) -> None:
    page.get_by_role("button", name=button).click()
    look(page)
    page.locator(f"#game-menu button[value={game}]").click()
    expect(page.locator("#game-menu")).to_be_hidden()


def test_table_plays_several_games_in_a_row_without_a_reload(person: People) -> None:
    ann, bob, cleo = person(), person(viewport=PHONE), person()
    code = open_table(ann, "Ann", "cards", pointsToWin="1", maxRounds="1")
    for page, name in ((bob, "Bob"), (cleo, "Cleo")):
        join(page, code, name)
    for page in (ann, bob, cleo):
        page.evaluate("window.sameAsBefore = true")
    start(ann)
    play_on(ann, bob, cleo)
    for page in (ann, bob, cleo):
        expect(page.locator("#ending .evening li")).to_have_count(3)
    look(bob)
    ann.click("text=How it went")
    ann.locator("#ending [data-result]").click()
    expect(ann.locator("#ending [data-result]")).to_have_text("Copied")

    # The host chooses the next game.
    choose(ann, "Another game", "mia")
    for page in (ann, bob, cleo):
        plays(page, "mia", "Mia")
        expect(page.locator(".welcome")).to_be_visible()
        expect(page.locator("#evening .evening li")).to_have_count(3)
        expect(page.locator("#ending")).to_be_hidden()
    look(ann)
    start(ann)
    expect(cleo.locator("#actions-heading, #status .sentence").first).to_be_visible()

    # A reaction from a phone, which then shows the table again. Everybody sees it.
    open_panel(bob, "chat")
    bob.locator("#panel-chat button[value=laugh]").click()
    for page in (ann, bob, cleo):
        expect(page.locator(".seat .reaction")).to_be_visible()
    expect(bob.locator("#panel-chat")).to_be_hidden()
    bob.locator(".seat.you").click()
    bob.locator("#sheet button[value='Well played']").click()
    expect(ann.locator("#chat-lines")).to_contain_text("Well played")

    # The table votes to end the match, and on the next game.
    open_panel(cleo, "people")
    cleo.get_by_role("button", name="End without a result").click()
    expect(ann.locator("#vote")).to_contain_text("End the match without a result?")
    expect(cleo.get_by_role("button", name="Agree", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    look(ann)
    bob.get_by_role("button", name="Agree", exact=True).click()
    for page in (ann, bob, cleo):
        expect(page.locator("#vote")).to_be_hidden()
        expect(page.locator(".verdict")).to_have_text("Nobody wins.")
    choose(bob, "Suggest a game", "coup")
    expect(cleo.locator("#vote")).to_contain_text("Play Iron Throne next?")
    cleo.get_by_role("button", name="Agree", exact=True).click()
    for page in (ann, bob, cleo):
        plays(page, "coup", "Iron Throne")
    start(ann)
    for page in (ann, bob, cleo):
        expect(page.locator("#hand .own-roles li")).to_have_count(2)
        assert page.evaluate("window.sameAsBefore")


def test_scripts_of_the_next_game_are_loaded_once(person: People) -> None:
    ann, television = person(PHONE), person()
    code = open_table(ann, "Ann", "mia", bots=2, pace="none")
    television.goto(f"/t/{code}/screen/")
    for game in ("cards", "mia", "cards"):
        choose(ann, "Another game", game)
        for page in (ann, television):
            expect(page.locator(f"body.game-{game}")).to_be_visible()
    assert ann.evaluate(SCRIPTS) == ["games/cards/script"]
    assert television.evaluate(SCRIPTS) == ["games/cards/screen", "games/cards/script"]
    start(ann)
    ann.wait_for_selector(".act-playwhitecards .tile")
    let_stand(ann)
    ann.locator(".act-playwhitecards .tile").first.click()
    expect(ann.locator("#board .blank.own")).to_have_count(1)
    play(ann)
    expect(television.locator("#reading")).to_contain_text("answer 1 of")
