"""Links for setting the first password of an account created by staff."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail as outbox
from django.db import connection
from django.test import Client

from accounts import welcome
from accounts.adapter import Adapter
from accounts.models import User
from accounts.second_step import Authenticator
from moderation.models import StaffAct
from tests.kit.moderators import admin_client, superuser
from tests.kit.passkeys import passkey
from tests.kit.people import PASSWORD, account, as_user, who

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = "/admin/accounts/user/"
CHOICE = {"new_password1": PASSWORD, "new_password2": PASSWORD}


def add(name: str = "Ann", email: str = "") -> Any:
    return as_user(superuser()).post(
        f"{PEOPLE}add/", {"username": name, "email": email, "reason": "asked"}
    )


def link_in(text: str) -> str:
    """Return the path of the link that is shown or sent."""
    found = re.search(r"https?://[^\s\"<]+/account/welcome/[^\s\"<]+", text)
    assert found is not None
    return urlsplit(found[0]).path


def action(name: str, *people: User) -> Any:
    chosen = {"action": name, "_selected_action": [one.pk for one in people]}
    chosen |= {"why": "yes", "reason": "asked"}
    return as_user(superuser()).post(PEOPLE, chosen, follow=True)


def used(link: str, **given: str) -> Any:
    """Open a link and set a password if asked for one."""
    client = Client()
    opened = client.get(link, follow=True)
    if opened.status_code != 200:
        return opened
    return client.post(opened.redirect_chain[-1][0], {**CHOICE, **given}, follow=True)


def test_welcome_link_sets_the_password_once() -> None:
    link = link_in(add().content.decode())
    page = used(link)
    assert "Your password is set. Log in as Ann." in page.content.decode()
    client = Client()
    client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert str(who(client)) == "Ann"
    again = used(link, new_password1="another 99", new_password2="another 99")
    assert again.status_code == 404
    assert "no longer works" in again.content.decode()


def test_opening_the_welcome_link_does_not_use_it_up() -> None:
    link = link_in(add().content.decode())
    for _ in range(2):
        assert "Choose a password" in Client().get(link, follow=True).content.decode()
    weak = used(link, new_password1="1234", new_password2="1234")
    assert 'class="problem"' in weak.content.decode()
    assert used(link).status_code == 200


def test_mail_is_sent_outside_the_transaction(settings: Any, monkeypatch: Any) -> None:
    settings.MAIL = True
    locked: list[bool] = []

    def deliver(*_: Any) -> bool:
        locked.append(connection.in_atomic_block)
        return True

    monkeypatch.setattr(Adapter, "deliver", deliver)
    add(email="ann@people.example")
    assert locked == [False]


def test_welcome_link_is_mailed_if_mail_is_on(settings: Any) -> None:
    settings.MAIL = True
    page = add(email="Ann@people.example").content.decode()
    assert "We sent a link to ann@people.example" in page
    assert "/account/welcome/" not in page
    sent = outbox.outbox[0]
    assert sent.to == ["ann@people.example"]
    assert "Your user name is Ann." in sent.body
    assert used(link_in(sent.body)).status_code == 200
    assert EmailAddress.objects.get().primary


def test_welcome_link_is_shown_if_the_mail_server_is_unreachable(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    page = add(email="ann@people.example").content.decode()
    assert "could not be sent" in page
    assert used(link_in(page)).status_code == 200


def test_new_welcome_link_revokes_the_first_and_each_can_be_withdrawn() -> None:
    first = link_in(add().content.decode())
    ann = User.objects.get(username="Ann")
    second = link_in(action("new_link", ann).content.decode())
    assert used(first).status_code == 404
    action("withdraw", ann)
    assert used(second).status_code == 404
    third = link_in(action("new_link", ann).content.decode())
    assert used(third).status_code == 200
    assert [one.action for one in StaffAct.objects.exclude(action="add")] == [
        *("new_link", "withdraw", "new_link")
    ]


def test_expired_forged_and_orphaned_welcome_links_are_not_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    links = {name: link_in(add(name).content.decode()) for name in ("Ann", "Bob", "Cem")}
    User.objects.get(username="Ann").delete()
    User.objects.filter(username="Bob").update(is_active=False)
    real = PasswordResetTokenGenerator._now
    later = timedelta(days=welcome.DAYS, seconds=1)
    assert used(links["Ann"]).status_code == 404
    assert used(links["Bob"]).status_code == 404
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: real(self) + later)
    assert used(links["Cem"]).status_code == 404
    for forged in ("/account/welcome/x/y/", "/account/welcome/MQ/set-password/"):
        assert used(forged).status_code == 404


def test_no_welcome_link_for_a_user_with_a_password() -> None:
    ann = account("Ann")
    assert "no password yet" in action("new_link", ann).content.decode()
    action("withdraw", ann)
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("name", "email", "says"),
    [
        ("bob", "", "That name is taken"),
        ("", "", "This field is required"),
        ("\u200b", "", "errorlist"),
        ("Ann", "bob@people.example", "Another account has that address"),
        ("Ann", "nonsense", "Enter a valid email"),
    ],
)
def test_names_and_addresses_of_other_users_are_refused(name: str, email: str, says: str) -> None:
    account("Bob", email="bob@people.example")
    assert says in add(name, email).content.decode()
    assert User.objects.count() == 2


def test_user_who_lost_a_device_can_log_in_after_factor_removal() -> None:
    ann = account("Ann")
    passkey(ann, "Key")
    client = Client()
    client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert who(client) is None
    action("no_steps", ann)
    assert not Authenticator.objects.exists()
    client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert who(client) == ann


def test_moderators_cannot_create_links() -> None:
    add()
    ann = User.objects.get(username="Ann")
    client = admin_client()
    for name in ("new_link", "withdraw", "no_steps"):
        answer = client.post(PEOPLE, {"action": name, "_selected_action": [ann.pk]})
        assert answer.status_code == 302
    assert not StaffAct.objects.exclude(action="add").exists()
