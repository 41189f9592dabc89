"""Personal settings at a table: hiding secrets, and automatic passing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    PHONE,
    is_over,
    open_panel,
    open_table,
    play_until,
    shown,
    start,
    until_mine,
    wait_until_gone,
)
from tests.kit.waiting import patiently, wait_for

pytestmark = pytest.mark.slow

People = Callable[..., Page]


def test_secrets_are_hidden_by_key_button_and_window_blur(person: People) -> None:
    page = person()
    open_table(page, "Ann", "coup", bots=2)
    start(page)
    own = page.locator("#hand .facts, #hand .cards, #hand ul").first
    expect(own).to_be_visible()
    page.keyboard.press("Alt+s")
    expect(page.locator("#cover")).to_have_attribute("aria-pressed", "true")
    expect(own).to_be_hidden()
    page.reload()
    expect(page.locator("#seats .seat")).to_have_count(3)
    expect(own).to_be_hidden()
    open_panel(page, "more")
    page.click("#cover")
    expect(own).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(page.locator("#cover")).to_have_attribute("aria-pressed", "false")
    page.check("[data-habit=blur]")
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(page.locator("#cover")).to_have_attribute("aria-pressed", "true")


def test_status_line_shows_the_public_text_while_secrets_are_hidden(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia", bots=1)
    start(page)
    until_mine(page)
    page.keyboard.press("Alt+s")
    expect(page.locator("#status .sentence.instead")).to_be_visible()
    expect(page.locator("#status .sentence.own")).to_be_hidden()


ASKED_OF_ALL = "() => document.querySelector('#actions form[data-auto-pass]')?.id"
COUNT_PASSED = """() => {
  window.passed = 0;
  document.addEventListener("submit", e => {
    if (e.target.matches("[data-auto-pass]") && !e.submitter) window.passed += 1;
  }, true);
}"""
"""The page passes automatically, without a button being pressed."""


def test_questions_to_everybody_are_passed_automatically_if_enabled(person: People) -> None:
    page = person(own=True)
    page.clock.install()
    open_table(page, "Ann", "coup", bots=2)
    open_panel(page, "more")
    page.check("[data-habit=declines]")
    page.evaluate(COUNT_PASSED)
    start(page)
    for _ in patiently("nothing passes by itself"):
        if page.evaluate("window.passed") >= 3:
            break
        if is_over(page):
            start(page)
        play_until(f"({ASKED_OF_ALL})() || {shown('#ending .end')}", page)
        if asked := page.evaluate(ASKED_OF_ALL):
            page.clock.fast_forward(1000)
            wait_until_gone(page, asked)


def test_repeated_error_message_is_shown_for_the_full_time(person: People) -> None:
    page = person(own=True)
    page.clock.install()
    open_table(page, "Ann")
    told = page.locator("#notice p")
    open_panel(page, "chat")
    page.fill("#message", " ")
    page.click("#say button")
    expect(told).to_contain_text("it has no visible characters")
    page.clock.fast_forward(6000)
    first = told.element_handle()
    open_panel(page, "chat")
    page.fill("#message", " ")
    page.click("#say button")
    page.wait_for_function("old => !old.isConnected", arg=first)
    expect(told).to_contain_text("it has no visible characters")
    page.clock.fast_forward(6000)
    expect(told).to_be_visible()
    page.clock.fast_forward(3000)
    expect(told).to_have_count(0)


def test_rejected_input_is_kept_in_its_field(person: People) -> None:
    page = person()
    open_table(page, "Ann")
    told, name, message = page.locator("#notice p"), "#invite-name", "#message"
    open_panel(page, "chat")
    page.fill(message, "hello")
    page.click("#say button")
    expect(page.locator(message)).to_have_value("")
    expect(page.locator("#chat-lines")).to_contain_text("hello")
    open_panel(page, "people")
    page.fill(name, "nobdy")
    page.press(name, "Enter")
    expect(told).to_be_visible()
    expect(page.locator(name)).to_have_value("nobdy")
    expect(page.locator(message)).to_have_value("")


SEEN = """e => { const { left, top, width, height } = e.getBoundingClientRect();
  return e.contains(document.elementFromPoint(left + width / 2, top + height / 2)); }"""
SAY_NOTHING = """() => { document.querySelector("#message").value = " ";
  document.querySelector("#say").requestSubmit(); }"""


def test_notice_is_visible_at_any_scroll_position(person: People) -> None:
    page = person({**PHONE, "height": 400})
    open_table(page, "Ann", "coup", bots=1)
    start(page)
    place = page.locator("#notice").evaluate("e => e.getBoundingClientRect().top + scrollY")
    told = page.locator("#notice p")

    def is_seen() -> bool:
        return bool(told.evaluate(SEEN))

    for scrolled in (place - 10, place + 300, 0):  # below the status line, above it, at the top
        page.evaluate("at => scrollTo(0, at)", scrolled)
        page.evaluate(SAY_NOTHING)
        expect(told).to_contain_text("it has no visible characters")
        wait_for(is_seen, "the answer stays out of sight")  # the answer moves as content is added
        told.evaluate("e => e.remove()")
