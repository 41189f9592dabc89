"""Pages that no other test visits follow their content security policy: a violation is a console
message, and any console message fails a browser test (`person`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PASSWORD, act, join, open_panel, open_table, start
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.served import Served

People = Callable[..., Page]

DECIDE = """
from games.history import staff
from games.models import Member
from games.engine.writer import command
user = Member.objects.get(room__code="{code}", name="Rude").user
command(staff.decide)(user.pk, "{kind}", "Be kind.").result()
"""


def visit(page: Page, *addresses: str) -> None:
    """Load and render these pages; any violation of the policy is reported by then."""
    for address in addresses:
        page.goto(address)
        page.evaluate(TWO_FRAMES)


def log_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.fill("#id_login", name)
    page.fill("#id_password", PASSWORD)
    page.click("main button.main, main form button")
    page.wait_for_url("**/")


@pytest.fixture(scope="module")
def registered(served: Served) -> None:
    """A registered user and a member of the staff."""
    served.manage(
        "shell",
        "-c",
        "from accounts.models import User\n"
        "for name, staff in (('Policy', False), ('Office', True)):\n"
        f"    u = User.objects.create_user(name, password={PASSWORD!r}, name=name)\n"
        "    u.is_staff = u.is_superuser = staff; u.save()\n",
    )


def test_pages_of_everybody_keep_to_the_policy(person: People) -> None:
    page = person()
    visit(page, "/nowhere/", "/decks/", "/decks/own/", "/decks/new/")
    visit(page, "/account/signup/", "/account/login/", "/account/password/reset/")
    visit(page, "/account/confirm-email/forged/", "/account/inactive/")


@pytest.mark.usefixtures("registered")
def test_pages_of_somebody_keep_to_the_policy(person: People) -> None:
    page = person()
    log_in(page, "Policy")
    visit(page, "/", "/tables/", "/people/Policy/", "/you/", "/you/delete/", "/decks/new/")
    visit(page, "/account/password/change/", "/account/logout/")


def test_what_moderators_decide_is_shown_within_the_policy(person: People, served: Served) -> None:
    page = person()
    code = open_table(page, "Rude", "mia", bots=1)
    served.manage("shell", "-c", DECIDE.format(code=code, kind="warning"))
    expect(page.locator("#words")).to_contain_text("Please read and confirm")
    visit(page, "/")
    expect(page.locator("body")).to_contain_text("Got it")
    served.manage("shell", "-c", DECIDE.format(code=code, kind="lock"))
    visit(page, "/")
    expect(page.locator("body")).to_contain_text("Be kind.")


def test_people_at_a_table_keep_to_the_policy(person: People) -> None:
    host, guest = person(), person()
    code = open_table(host, "Ann")
    join(guest, code, "Bob")
    bob = host.locator("#people").get_by_role("button", name="Bob", exact=True)
    open_panel(host, "people")
    bob.click()
    sheet = host.get_by_role("dialog", name="Bob")
    sheet.locator(".report > summary").click()
    sheet.locator(".report button").click()
    expect(host.locator("#notice")).to_contain_text("A moderator will look at it")
    expect(host.locator("#notice p")).to_be_in_viewport()
    bob.click()
    sheet.get_by_role("button", name="Mute", exact=True).click()
    expect(host.locator("#people")).to_contain_text("muted by you")
    bob.click()
    sheet.get_by_role("button", name="Kick").click()
    open_panel(host, "people")
    host.get_by_role("button", name="Invite again").click()
    expect(host.get_by_role("button", name="Withdraw")).to_be_visible()
    visit(guest, f"/t/{code}/")


@pytest.mark.usefixtures("registered")
def test_the_back_office_keeps_to_the_policy(person: People) -> None:
    page = person()
    log_in(page, "Office")
    visit(page, "/admin/")
    tables = page.locator("#content th a, #content-main th a").evaluate_all(
        "found => found.map(a => a.getAttribute('href'))"
    )
    assert len(tables) > 5
    for table in tables:
        visit(page, table)
        first = page.locator("#result_list th a").first
        if first.count():
            visit(page, first.get_attribute("href") or "")
        if page.locator(".historylink").count():
            visit(page, page.locator(".historylink").first.get_attribute("href") or "")
    visit(page, "/admin/accounts/user/add/", "/admin/accounts/registrationlink/add/")
    visit(page, "/admin/games/announcement/add/")


def test_a_match_by_a_name_of_the_network_keeps_to_the_policy(
    person: People, served: Served
) -> None:
    page = person(base=f"http://parlour.test:{served.port}")
    open_table(page, "Ann", "mia", bots=2)
    start(page)
    page.wait_for_selector("#actions form button:enabled")
    assert act(page)
    expect(page.locator("#log-lines p").first).to_be_visible()
