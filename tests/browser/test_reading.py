"""Updates do not interrupt the reading of older entries, and drafts survive a reload."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import DESKTOP, PHONE, join, open_panel, open_table, play_now, say
from tests.kit.stored import CSV

pytestmark = pytest.mark.slow

People = Callable[..., Page]
TOP = "list => document.getElementById(list).scrollTop"
LONG = "what is said at length fills a list of any size. " * 6
AT_THE_END = """id => {
  const list = document.getElementById(id);
  return list.scrollHeight > list.clientHeight
    && list.scrollTop + list.clientHeight > list.scrollHeight - 2;
}"""
ADD = """([id, text]) => document.getElementById(id).insertAdjacentHTML("beforeend",
  `<p class="line">${text}</p>`)"""


def fill(page: Page, panel: str, lines: int = 12) -> str:
    """Make a list longer than its panel. Return the list's id."""
    list = f"{panel}-lines"
    open_panel(page, panel)
    for at in range(lines):
        page.evaluate(ADD, [list, f"{at} {LONG}"])
    page.wait_for_function(AT_THE_END, arg=list)
    return list


def test_new_lines_do_not_scroll_the_panel_while_reading_older_ones(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    for size, panel in product((PHONE, DESKTOP), ("log", "chat")):
        page.set_viewport_size(size)
        reads_further_up(page, panel)


def reads_further_up(page: Page, panel: str) -> None:
    list = fill(page, panel)
    button = page.locator(f"[data-newest={list}]")
    page.locator(f"#{list}").hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function("list => document.getElementById(list).dataset.up === 'yes'", arg=list)
    before = page.evaluate(TOP, list)
    page.evaluate(ADD, [list, "new"])
    expect(button).to_be_visible()
    assert page.evaluate(TOP, list) == before
    button.click()
    page.wait_for_function(AT_THE_END, arg=list)
    expect(button).to_be_hidden()
    page.evaluate(ADD, [list, f"newer {LONG}"])
    page.wait_for_function(AT_THE_END, arg=list)


def test_sending_a_message_scrolls_to_it(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    fill(page, "chat")
    page.evaluate("() => { document.getElementById('chat-lines').scrollTop = 0; }")
    page.wait_for_function("() => document.getElementById('chat-lines').dataset.up === 'yes'")
    say(page, "mine")
    page.wait_for_function(AT_THE_END, arg="chat-lines")


def test_drafts_of_messages_and_report_notes_survive_a_reload(person: People) -> None:
    ann, bob = person(), person()
    code = open_table(ann, "Ann", "mia")
    join(bob, code, "Bob")
    say(bob, "hello")
    open_panel(ann, "chat")
    ann.fill("#message", "half a sen")
    ann.locator("#chat-lines .report summary").click()
    ann.fill("#chat-lines [name=note]", "this is why")
    ann.reload()
    open_panel(ann, "chat")
    expect(ann.locator("#message")).to_have_value("half a sen")
    expect(ann.locator("#chat-lines [name=note]")).to_have_value("this is why")
    ann.press("#message", "Enter")
    expect(ann.locator("#message")).to_have_value("")
    ann.reload()
    open_panel(ann, "chat")
    expect(ann.locator("#message")).to_have_value("")
    expect(ann.locator("#chat-lines [name=note]")).to_have_value("this is why")


def test_deck_draft_survives_until_it_is_saved(person: People) -> None:
    page = person()
    play_now(page, "Ann")
    page.goto("/decks/new/")
    page.fill("#id_name", "Mine")
    page.fill("#id_text", CSV.decode())
    page.reload()
    expect(page.locator("#id_name")).to_have_value("Mine")
    expect(page.locator("#id_text")).to_have_value(CSV.decode())
    page.click("text=Preview")
    page.click("text=Save this deck")
    page.wait_for_url("**/decks/*/")
    page.goto("/decks/new/")
    expect(page.locator("#id_text")).to_have_value("")


def test_drafts_are_deleted_when_the_login_ends(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia")
    open_panel(page, "chat")
    page.fill("#message", "secret")
    page.context.clear_cookies()
    page.goto("/")
    kept = "() => Object.keys(sessionStorage).filter((key) => key.startsWith('parlour-draft'))"
    assert page.evaluate(kept) == []
