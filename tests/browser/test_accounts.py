"""Guests who register or log in, in real browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    CHANGE,
    PASSWORD,
    PHONE,
    act,
    fill_in,
    is_in,
    let_stand,
    look_all_round,
    open_panel,
    open_table,
    play_now,
    play_until,
    start,
    until_mine,
)
from tests.kit.waiting import patiently

People = Callable[..., Page]


def moves(page: Page, many: int) -> None:
    """Make this many moves in a match that continues afterwards."""
    for _ in patiently("no moves can be made"):
        if not many:
            return
        until_mine(page)
        many -= act(page, CHANGE)


def test_guest_keeps_their_seat_after_registering_during_a_match(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Guest Anna", bots=1, lives="5")
    table = page.url
    start(page)
    moves(page, 3)
    open_panel(page, "more")
    page.click("text=Keep my name")
    expect(page.locator("main")).to_contain_text("You keep your name Guest Anna")
    fill_in(page, "Anna")
    page.wait_for_url(table)
    expect(page.locator(".seat.you .name")).to_have_text("Guest Anna")
    is_in(page)
    moves(page, 1)


@pytest.mark.slow
def test_account_pages_pass_layout_and_accessibility_checks(person: People) -> None:
    page = person()
    for address in ("login", "signup", "password/reset", "inactive", "confirm-email/x"):
        page.goto(f"/account/{address}/")
        look_all_round(page)
    page.goto("/account/signup/")
    page.fill("#id_username", "a@b")
    page.fill("#id_password1", "1")
    page.fill("#id_password2", "2")
    page.click("main button.main")
    expect(page.locator("#id_username")).to_be_focused()
    expect(page.locator("#id_username_error")).to_contain_text("can't contain @")
    look_all_round(page)
    fill_in(page, "Evelyn")
    is_in(page)
    page.goto("/you/")
    look_all_round(page)
    page.fill("#token_name", "a program with rather a long name")
    page.click("text=Create token")
    page.fill("#id_password", PASSWORD)  # no login by password yet
    page.click("main button.main")
    expect(page.locator("#made")).to_be_visible()
    look_all_round(page)
    page.goto("/account/password/change/")
    look_all_round(page)


@pytest.mark.slow
def test_token_can_be_copied_and_revoked(person: People) -> None:
    page = person(permissions=["clipboard-read", "clipboard-write"])
    play_now(page, "Ann")
    page.click("header .me")
    page.fill("#token_name", "my bot")
    page.click("text=Create token")
    page.click("[data-copy]")
    expect(page.locator("[data-copy]")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.input_value("#made")
    page.click("text=Revoke")
    expect(page.locator("#tokens")).to_contain_text("No tokens yet.")


@pytest.mark.slow
def test_table_and_account_page_share_preferences(person: People) -> None:
    page = person()
    code = open_table(page, "Ann", "coup", bots=1)
    open_panel(page, "more")
    with page.expect_response("**/you/habit/") as answer:
        page.check("[data-habit=blur]")
    assert answer.value.status == 204
    page.goto("/you/")
    expect(page.locator("#prefer_covers")).to_be_checked()
    page.uncheck("#prefer_covers")
    page.check("#prefer_sounds")
    page.select_option("#prefer_theme", "dark")
    page.click("button:text-is('Save')")
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.goto(f"/t/{code}/")
    open_panel(page, "more")
    expect(page.locator("[data-habit=blur]")).not_to_be_checked()
    expect(page.locator("[data-habit=sound]")).to_be_checked()


@pytest.mark.slow
def test_risky_move_takes_one_tap_if_confirmations_are_off(person: People) -> None:
    page = person()
    code = open_table(page, "Ann", "mia", bots=1, onFault="lose")
    page.goto("/you/")
    page.uncheck("#prefer_confirms")
    page.click("button:text-is('Save')")
    page.goto(f"/t/{code}/")
    start(page)
    lone = page.locator("#actions .risky:has(.act-see) > summary")
    asked = """[...document.querySelectorAll('#actions .risky .act-see')]
      .some(form => form.id !== window.answeredForm?.id)"""
    play_until(asked, page)
    let_stand(page)
    gone = lone.first.locator("xpath=..").get_attribute("id")
    lone.first.click()
    page.wait_for_function("id => !document.getElementById(id)", arg=gone)
    expect(page.locator("#log-lines")).to_contain_text("before")
