"""Two people in real browsers: one follows the other, sees her come and joins her table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PASSWORD, PHONE, log_in, look_all_round
from tests.kit.served import Served

pytestmark = pytest.mark.slow

MAKE_PEOPLE = """
from accounts.models import User
for name in ("Follower", "Followed"):
    User.objects.create_user(name, name=name, password="{password}", seen_by="followers")
"""


def come(page: Page, name: str, address: str) -> None:
    page.goto(f"/account/login/?next={address}")
    log_in(page, name)
    page.wait_for_url(f"**{address}")


def test_follower_sees_a_friend_come_and_sit_down_and_joins_with_one_tap(
    person: Callable[..., Page], served: Served
) -> None:
    served.manage("shell", "-c", MAKE_PEOPLE.format(password=PASSWORD))
    bob, ann = person(own=True, viewport=PHONE), person(own=True)
    come(bob, "Follower", "/people/")
    bob.fill("#follow-name", "followed")
    bob.click("button[form=follow]")
    friends = bob.locator("#friends")
    expect(friends).to_contain_text("None of your friends is here")

    come(ann, "Followed", "/new/mia/")
    expect(friends.locator(".asked li")).to_contain_text("Followed")
    expect(friends.locator(".asked code")).to_have_count(0)

    ann.check("[name=visibility][value=public]")
    ann.click("main button.main")
    ann.wait_for_selector("#table")
    expect(friends.locator(".asked li")).to_contain_text("Mia")
    look_all_round(bob)

    friends.get_by_role("button", name="Join").click()
    bob.wait_for_url("**/t/*/")
    expect(ann.locator("#people")).to_contain_text("Follower")

    ann.close()
    bob.goto("/people/")
    expect(friends).to_contain_text("None of your friends is here")
