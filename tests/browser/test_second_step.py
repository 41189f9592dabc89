"""A passkey on Chromium's virtual device: created, used to log in, required in the admin."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PASSWORD, is_in, log_in, look_all_round
from tests.kit.served import Served

pytestmark = pytest.mark.slow

People = Callable[..., Page]

KEY_OWNER = f"""
from accounts.models import User
from moderation.models import Report
User.objects.create_user("Keyes", password="{PASSWORD}", is_staff=True, is_superuser=True)
loud = User.objects.create(username="loud", name="Loud", is_guest=True)
about = {{"about": loud, "about_name": "Loud", "by_name": "Ann"}}
Report.objects.create(kind="name", reason="spam", what="from the second step", **about)
"""
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@contextmanager
def device(page: Page) -> Any:
    """A virtual device that confirms every request."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    yield lambda confirms: session.send(
        "WebAuthn.setUserVerified",
        {"authenticatorId": made["authenticatorId"], "isUserVerified": confirms},
    )
    session.detach()


def test_staff_can_log_in_with_a_passkey(person: People, served: Served) -> None:
    served.manage("shell", "-c", KEY_OWNER)
    page = person(base=f"http://localhost:{served.port}")
    page.goto("/account/login/")
    look_all_round(page)
    log_in(page, "Keyes")
    is_in(page)
    with device(page) as confirms:
        _make(page, confirms)
        _log_in_by_it(page, confirms)


def _make(page: Page, confirms: Callable[[bool], Any]) -> None:
    page.goto("/account/two-step/")
    look_all_round(page)
    page.click("text=Set up an app")
    look_all_round(page)
    page.goto("/account/two-step/passkeys/add/")
    page.fill("#id_name", "Desk")
    look_all_round(page)
    confirms(False)
    page.click("text=Add it")
    expect(page.locator("[data-passkey-problem]")).to_be_visible()
    look_all_round(page)
    confirms(True)
    page.click("text=Add it")
    expect(page.locator("h1")).to_have_text("Recovery codes")
    look_all_round(page)
    page.click("main >> text=Two-step login")
    expect(page.locator("main")).to_contain_text("Desk")
    look_all_round(page)


def _log_in_by_it(page: Page, confirms: Callable[[bool], Any]) -> None:
    page.context.clear_cookies()
    page.goto("/account/login/?next=/admin/")
    page.click("text=Log in with a passkey")
    expect(page.locator("#site-name")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/account/login/?next=/admin/")
    log_in(page, "Keyes")
    expect(page.locator("main")).to_contain_text("or a recovery code")
    look_all_round(page)
    page.click("text=Use a passkey")
    expect(page.locator("#site-name")).to_be_visible()
    page.goto("/account/confirm/passkey/?next=/admin/accounts/user/")
    look_all_round(page)
    page.click("main button >> text=Use a passkey")
    expect(page.locator("#changelist")).to_be_visible()
    _make_an_account_and_settle(page)


def _make_an_account_and_settle(page: Page) -> None:
    """Check the pages on which staff set up a second step."""
    page.goto("/admin/accounts/user/add/")
    page.fill("#id_username", "Linked")
    page.fill("#id_reason", "asked at the door")
    page.click("input[name=_save]")
    link = page.locator("#link").input_value()
    look_all_round(page)
    page.goto(urlsplit(link).path)
    expect(page.locator("main")).to_contain_text("Your user name is Linked.")
    look_all_round(page)
    for action in ("settle_all", "remove_all", "block"):
        page.goto("/admin/moderation/report/?q=from+the+second+step")
        page.check("#action-toggle")
        page.select_option("select[name=action]", action)
        page.click("button[name=index]")
        look_all_round(page)
    page.goto("/admin/accounts/addresslock/")
    look_all_round(page)
