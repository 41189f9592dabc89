"""Somebody exports their data and deletes their account while a table is open elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, SMALLEST, join, look, open_panel, open_table

People = Callable[..., Page]


def test_a_guest_downloads_everything_and_is_erased(person: People) -> None:
    page, bob = person(SMALLEST), person(PHONE)
    code = open_table(page, "Ann", "mia")
    join(bob, code, "Bob")
    open_panel(page, "chat")
    page.fill("#message", "words of mine")
    page.press("#message", "Enter")
    expect(bob.locator("#chat-lines")).to_contain_text("words of mine")
    other = page.context.new_page()
    other.goto("/you/")
    with other.expect_download() as loading:
        other.get_by_role("link", name="Download everything about me").click()
    about = json.loads(Path(loading.value.path()).read_text())
    assert about["profile"]["name"] == "Ann"
    assert about["chat"][0]["text"] == "words of mine"
    other.get_by_role("link", name="Delete my account").click()
    look(other)
    other.get_by_role("button", name="Delete my account").click()
    assert other.url.endswith("/you/delete/")  # the browser requires the tick
    other.get_by_label("Delete everything").check()
    other.get_by_role("button", name="Delete my account").click()
    expect(other.locator("main .message")).to_contain_text("Your account is deleted")
    look(other)
    expect(page.locator("#offline")).to_contain_text("no longer")
    expect(bob.locator("#chat-lines")).not_to_contain_text("words of mine")
    expect(bob.locator("#people")).not_to_contain_text("Ann")
    expect(bob.locator("#setup")).to_be_visible()  # Bob is host now
