"""Cards in browsers: a deck with hostile texts, four people, and their actions."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.kit.browser import act, let_stand

PROMPT = "<i>Why</i> {n:02} & 'x' _, then _"
MARKUP = "<b>{n:02}</b></mark></p><script>document.title='x'</script>"
ANSWER = MARKUP + " {{{{ 7*7*91 }}}} %(who)s _ שלום "
"""Markup, a template, a false blank, right-to-left text, and a word wider than a phone."""


class Round(NamedTuple):
    """A table of three and a spectator. Nobody has played yet."""

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


def play(page: Page) -> list[str]:
    """Play the first two cards in hand and return their texts."""
    page.wait_for_selector(".act-playwhitecards")
    shown = page.locator(".act-playwhitecards .tile .own").all_text_contents()[:2]
    words = [text.strip("\u2068\u2069") for text in shown]  # isolates are not part of a card
    assert act(page)
    expect(page.locator(".act-playwhitecards")).to_have_count(0)
    return words


def vote(page: Page, words: list[str]) -> None:
    """Vote for the play with these answers."""
    page.wait_for_selector(".act-vote")
    let_stand(page)
    page.locator(".ballot li", has_text=words[0]).click()
    page.click(".act-vote button")
    expect(page.locator(".act-vote")).to_have_count(0)


def go_on(*pages: Page) -> None:
    for page in pages:
        page.wait_for_selector(".act-continue")
        assert act(page)


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat").filter(has=page.get_by_text(name, exact=True))
