"""A field counts characters as the server does, and never truncates silently."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, open_table

pytestmark = pytest.mark.slow

People = Callable[..., Page]
DIE = "🎲"


def test_name_may_consist_of_twenty_emoji(person: People) -> None:
    page = person(PHONE)
    page.goto("/")
    page.focus("#play-name")
    page.keyboard.insert_text(DIE * 20)
    expect(page.locator("#play-name")).to_have_value(DIE * 20)
    page.click("#play-now")
    page.wait_for_url("**/t/*/")


def test_chat_message_is_sent_in_full_or_kept_with_an_error(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann")
    page.locator("#tab-chat").click()
    page.focus("#message")
    page.keyboard.insert_text(DIE * 300)
    page.keyboard.press("Enter")
    expect(page.locator("#chat-lines")).to_contain_text(DIE * 300)
    page.focus("#message")
    page.keyboard.insert_text("x" * 501)
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_value("x" * 501)
    said = page.locator("#message").evaluate("one => one.validationMessage")
    assert said == "At most 500 characters."
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.locator("#chat-lines")).to_contain_text("x" * 500)
