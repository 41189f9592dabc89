"""Users and their tables in browsers: returning, invitations, being kicked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    DESKTOP,
    PHONE,
    SMALLEST,
    act,
    fill_in,
    is_in,
    join,
    log_in,
    look,
    look_all_round,
    open_panel,
    open_table,
    play_on,
    start,
    until_mine,
)
from tests.kit.stage import SIZES, unseen

People = Callable[..., Page]


def register(page: Page, name: str) -> None:
    """Register and log in with this name."""
    page.goto("/account/signup/")
    fill_in(page, name)
    is_in(page)


@pytest.mark.slow
def test_returning_player_finds_the_table_by_the_badge_on_another_device(
    person: People,
) -> None:
    first, second = person(DESKTOP), person(PHONE)
    register(first, "Rita")
    code = open_table(first, "Rita", bots=1, lives="5")
    start(first)
    until_mine(first)
    first.context.close()
    second.goto("/account/login/?next=/rules/mia/")
    log_in(second, "Rita")
    second.wait_for_url("**/rules/mia/")
    expect(second.locator("#badge")).to_have_text("Your turn: Mia")
    expect(second).to_have_title("(1) Rules of Mia")
    second.click("#badge")
    second.wait_for_url(f"**/t/{code}/")
    expect(second.locator(".seat.you .name")).to_have_text("Rita")
    expect(second.locator("#badge")).to_be_hidden()


@pytest.mark.slow
def test_the_badge_follows_the_turn_while_another_page_is_open(person: People) -> None:
    page = person(DESKTOP)
    open_table(page, "Ann", bots=1, lives="5")
    start(page)
    until_mine(page)
    decks = page.context.new_page()
    decks.goto("/decks/")
    expect(decks.locator("#badge")).to_have_text("Your turn: Mia")
    page.bring_to_front()
    assert act(page)
    expect(page.locator("#hand")).to_be_visible()
    decks.bring_to_front()
    decks.keyboard.press("Tab")
    for _ in range(6):
        if decks.evaluate("document.activeElement.id") == "badge":
            break
        decks.keyboard.press("Tab")
    decks.keyboard.press("Enter")
    decks.wait_for_url("**/t/*/")


def test_newcomer_can_join_by_a_shared_link_on_a_phone(person: People) -> None:
    host = person(PHONE, permissions=["clipboard-read", "clipboard-write"])
    host.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    open_table(host, "Ann")
    open_panel(host, "people")
    host.locator("#invite").get_by_role("button", name="Copy the link").click()
    expect(host.locator("#invite [data-copy]")).to_have_text("Copied")
    copied = host.evaluate("navigator.clipboard.readText()")
    host.locator("#invite").get_by_role("button", name="Share").click()
    assert host.evaluate("window.shared.url") == copied
    look(host)
    newcomer = person(SMALLEST)
    newcomer.goto(copied)
    look(newcomer)
    newcomer.fill("#id_name", "Nele")
    newcomer.click("main button.main")
    expect(newcomer.locator("#people li")).to_have_count(2)
    expect(host.locator("#people li")).to_have_count(2)
    host.get_by_role("button", name="Fill with 2 bots").dblclick()
    expect(newcomer.locator("#seats .seat:not(.chair)")).to_have_count(4)
    start(host)
    expect(newcomer.locator("#status .sentence").first).not_to_be_empty()


@pytest.mark.slow
def test_quick_phrase_is_sent_with_one_tap(person: People) -> None:
    host = person(PHONE)
    open_table(host, "Ann")
    open_panel(host, "chat")
    host.get_by_role("button", name="Well played").click()
    expect(host.locator("#chat-lines")).to_contain_text("Well played")


@pytest.mark.slow
def test_host_can_kick_and_reinvite_a_player_by_keyboard_alone(person: People) -> None:
    host, trouble = person(DESKTOP), person(PHONE)
    register(trouble, "Tom")
    open_table(host, "Ann", bots=1)
    table = host.url
    trouble.goto(table)
    trouble.click("main button.main")
    tom = host.locator("#seats").get_by_role("button", name="Tom")
    tom.focus()
    host.keyboard.press("Enter")
    sheet = host.get_by_role("dialog", name="Tom")
    expect(sheet).to_be_visible()
    look(host)
    sheet.get_by_role("button", name="Let them watch").press("Enter")
    expect(sheet).to_be_hidden()
    expect(host.locator("#people li", has_text="Tom")).to_contain_text("watching")
    open_panel(host, "people")
    host.locator("#people").get_by_role("button", name="Tom").press("Enter")
    sheet.get_by_role("button", name="Kick").press("Enter")
    expect(host.locator("#people li")).to_have_count(2)
    assert host.evaluate("document.activeElement.id") == "people-heading"
    expect(trouble.locator("#offline")).to_be_visible()
    expect(trouble.locator("#notice")).to_contain_text("You were removed")
    expect(trouble.locator("main button:visible, main input:visible")).to_have_count(0)
    look(trouble)
    assert trouble.evaluate("document.activeElement.textContent") == "To the front page"
    trouble.keyboard.press("Enter")
    trouble.wait_for_url(lambda url: "/t/" not in url)
    trouble.goto(table)
    expect(trouble.locator("main")).to_contain_text("You were removed")
    host.locator("#tab-people").press("Enter")
    look(host)
    host.get_by_role("button", name="Invite again").press("Enter")
    expect(host.get_by_role("button", name="Withdraw")).to_be_visible()
    trouble.goto("/rules/mia/")
    trouble.click("#badge")
    expect(trouble.locator("#invited")).to_contain_text("Ann invites you")
    trouble.get_by_role("button", name="Accept").click()
    trouble.wait_for_url(table)
    expect(host.locator("#people li")).to_have_count(3)


@pytest.mark.slow
def test_bot_level_can_be_changed_and_declined_invitation_disappears(person: People) -> None:
    host, guest = person(PHONE), person(SMALLEST)
    register(guest, "Gina")
    guest.goto("/tables/")
    open_table(host, "Ann", bots=1)
    open_panel(host, "people")
    host.locator("#people li", has_text="Bot ·").get_by_role("button").click()
    host.get_by_role("button", name="Another level: easy").click()
    expect(host.locator("#people li", has_text="Bot · easy")).to_have_count(1)
    host.keyboard.press("Escape")
    open_panel(host, "people")
    host.fill("#invite-name", "gina")
    host.keyboard.press("Enter")
    expect(host.locator("#notice")).to_contain_text("gina is invited")
    expect(host.locator("#notice")).to_be_in_viewport()
    expect(host.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(guest.locator("#badge")).to_have_text("1 invitation")
    look(guest)
    guest.get_by_role("button", name="Decline").click()
    expect(guest.locator("main")).to_contain_text("not at any tables")
    expect(host.get_by_role("button", name="Withdraw")).to_have_count(0)


ALL_WIDTHS = (DESKTOP, PHONE, SMALLEST)


@pytest.mark.slow
def test_pages_with_a_badge_pass_layout_and_accessibility_checks(person: People) -> None:
    page = person()
    open_table(page, "Ann", bots=2)
    start(page)
    for address in ("/tables/", "/", "/rules/mia/"):
        page.goto(address)
        expect(page.locator("#badge")).to_be_visible()
        look_all_round(page, ALL_WIDTHS)


@pytest.mark.slow
def test_finished_match_can_be_reviewed_and_is_listed_on_the_profile(person: People) -> None:
    page = person(PHONE)
    register(page, "Hanna")
    open_table(page, "Hanna", bots=1, lives="1")
    start(page)
    play_on(page)
    page.click("#ending .how > summary")
    page.click("text=Look back")
    page.wait_for_url("**/matches/*/")
    expect(page.locator("main")).to_contain_text("nothing was changed")
    expect(page.locator("main > #ending")).to_have_css("color-scheme", "dark")
    expect(page.locator("#ending .finish ol").first).to_have_css("list-style-type", "none")
    there = page.url
    for address in ("/you/", "/people/hanna/", there):
        page.goto(address)
        look_all_round(page, ALL_WIDTHS, opened=True)
    page.goto("/you/")
    page.locator("#past .results a").first.press("Enter")
    page.wait_for_url(there)


@pytest.mark.slow
def test_panels_on_phones_are_as_wide_as_the_stage(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "coup", bots=3)
    assert not unseen(page, ".welcome code", ".welcome .qr", ".welcome [data-copy]")
    open_panel(page, "people")
    assert not unseen(page, "#panel-people")
    for size in SIZES[:3]:
        page.set_viewport_size(size)
        for name in ("log", "chat", "people", "rules", "more"):
            open_panel(page, name)
            both = (page.locator(one) for one in (f"#panel-{name}", ".stage"))
            panel, stage = (one.evaluate("one => one.offsetWidth") for one in both)
            assert panel >= stage - 1, (size, name)


def test_tapping_anywhere_on_a_seat_opens_its_players_dialog(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "mia", bots=2)
    start(page)
    page.locator(".seat", has_text="Bela").locator(".lives").click()
    expect(page.get_by_role("dialog", name="Bela")).to_be_visible()


@pytest.mark.slow
def test_table_votes_to_remove_a_player_during_a_match(person: People) -> None:
    ann, bob, cleo = person(PHONE), person(PHONE), person(SMALLEST)
    code = open_table(ann, "Ann", "mia")
    join(bob, code, "Bob")
    join(cleo, code, "Cleo")
    start(ann)
    open_panel(bob, "people")
    bob.locator("#people").get_by_role("button", name="Cleo", exact=True).click()
    bob.get_by_role("button", name="Vote: remove from the table").click()
    for page in (ann, bob, cleo):
        expect(page.locator("#vote")).to_contain_text("Remove Cleo from the table?")
        look(page)
    expect(cleo.locator("#vote button")).to_have_count(0)
    ann.get_by_role("button", name="Agree", exact=True).click()
    expect(cleo.locator("main")).to_contain_text("You were removed from this table.")
    expect(ann.locator(".seat.out .name")).to_have_text("Cleo")
    expect(ann.locator("#vote")).to_be_hidden()
