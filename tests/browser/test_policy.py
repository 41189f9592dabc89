"""Pages that no other test visits follow their content security policy: a violation is a console
message, and any console message fails a browser test (`person`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PASSWORD, is_in, log_in, open_table
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
    """Load and render these pages, and wait until all policy violations have been reported."""
    for address in addresses:
        page.goto(address)
        page.evaluate(TWO_FRAMES)


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


@pytest.mark.slow
@pytest.mark.usefixtures("registered")
def test_pages_of_a_user_follow_the_content_security_policy(person: People) -> None:
    page = person()
    visit(page, "/account/login/")
    log_in(page, "Policy")
    is_in(page)
    visit(page, "/decks/own/", "/people/Policy/", "/you/delete/", "/account/logout/")


@pytest.mark.slow
def test_warnings_and_bans_follow_the_content_security_policy(
    person: People, served: Served
) -> None:
    page = person()
    code = open_table(page, "Rude", "mia", bots=1)
    served.manage("shell", "-c", DECIDE.format(code=code, kind="warning"))
    expect(page.locator("#words")).to_contain_text("Please read and confirm")
    visit(page, "/")
    expect(page.locator("body")).to_contain_text("Got it")
    served.manage("shell", "-c", DECIDE.format(code=code, kind="lock"))
    visit(page, "/")
    expect(page.locator("body")).to_contain_text("Be kind.")


@pytest.mark.slow
@pytest.mark.usefixtures("registered")
def test_admin_pages_follow_the_content_security_policy(person: People) -> None:
    page = person()
    visit(page, "/account/login/")
    log_in(page, "Office")
    is_in(page)
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
