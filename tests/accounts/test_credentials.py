"""A new password revokes all other logins, and sensitive changes ask for the password."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.test import Client

from accounts import handoff, mail_addresses, push, tokens, welcome
from accounts.models import PushSubscription, User
from tests.kit.moderators import superuser
from tests.kit.people import PASSWORD, account, as_guest, as_user, mails, signing_up, who

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("mail")]

NEW = "another horse 8"
TWICE = {"password1": NEW, "password2": NEW}
EMAIL = "/account/email/"


def in_the_form(ann: User) -> None:
    as_user(ann).post("/account/password/change/", {"oldpassword": PASSWORD, **TWICE})


def by_a_link(ann: User) -> None:
    client = Client()
    client.post("/account/password/reset/", {"email": "ann@people.example"})
    client.post(client.get(link_to("reset")).url, TWICE)


def by_staff(ann: User) -> None:
    as_user(superuser()).post(
        f"/admin/accounts/user/{ann.pk}/password/",
        {**TWICE, "set-password": "x", "reason": "asked"},
    )


def taken_away_by_staff(ann: User) -> None:
    as_user(superuser()).post(
        f"/admin/accounts/user/{ann.pk}/password/",
        {"usable_password": "false", "unset-password": "x", "reason": "asked"},
    )


def on_the_machine(ann: User) -> None:
    person = User.objects.get(pk=ann.pk)
    person.set_password(NEW)  # as `manage.py changepassword` does
    person.save()


WAYS: list[Callable[[User], None]] = [
    in_the_form,
    by_a_link,
    by_staff,
    taken_away_by_staff,
    on_the_machine,
]


def link_to(what: str) -> str:
    links = [re.search(r"https?://[^/]+(/account/\S+)", one.body) for one in mails()]
    return next(found[1] for found in reversed(links) if found and what in found[1])


class Credentials:
    """Every credential created by Ann, or by somebody who knew her password."""

    def __init__(self, ann: User) -> None:
        self.ann, self.browser = ann, as_user(ann)
        self.token = tokens.make(ann, "bot", None)
        self.session = self.browser.session.session_key or ""
        self.code = handoff.make(ann, self.session)
        PushSubscription.objects.create(
            user=ann,
            endpoint="https://push.example/1",
            digest=push.digest_of("1"),
            auth="",
            p256dh="",
        )
        self.browser.post("/account/confirm/?next=/", {"password": PASSWORD})
        self.browser.post(EMAIL, {"action_add": "", "email": "mallory@people.example"})
        self.confirm = link_to("confirm-email")
        Client().post("/account/password/reset/", {"email": "ann@people.example"})
        self.reset = link_to("reset")

    def lasting(self) -> set[str]:
        """Return the credentials that still work."""
        reset = Client().get(self.reset, follow=True).content.decode()
        Client().post(self.confirm)
        ways = {
            "session": self.browser.get("/you/").status_code == 200,
            "token": tokens.holder(self.token) is not None,
            "hand-off": self._code_is_good(),
            "push": self.ann.push_subscriptions.exists(),
            "another address": [u.pk for u in mail_addresses.holders("mallory@people.example")]
            != [],
            "reset": "no longer works" not in reset,
        }
        return {name for name, lasts in ways.items() if lasts}

    def _code_is_good(self) -> bool:
        try:
            handoff.find(self.code)
        except handoff.NotGood:
            return False
        return True


ALL = {"session", "token", "hand-off", "push", "another address", "reset"}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_new_password_revokes_all_other_credentials(way: Callable[[User], None]) -> None:
    ann = account("Ann", email="ann@people.example")
    made = Credentials(ann)
    way(ann)
    assert made.lasting() == set()


def test_credentials_last_without_a_new_password() -> None:
    assert Credentials(account("Ann", email="ann@people.example")).lasting() == ALL


def test_wrong_old_password_revokes_nothing() -> None:
    ann = account("Ann")
    token = tokens.make(ann)
    as_user(ann).post("/account/password/change/", {"oldpassword": "wrong", **TWICE})
    assert tokens.holder(token) == ann


def test_registering_guest_keeps_its_tokens() -> None:
    client, guest = as_guest()
    guest.set_unusable_password()
    guest.save()
    token = tokens.make(guest)
    client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/account/signup/", signing_up("Ann"))
    assert tokens.holder(token) == who(client)


def test_rehashing_the_same_password_revokes_nothing(settings: Any) -> None:
    ann = account("Ann")
    token = tokens.make(ann)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = ann.password
    Client().post("/account/login/", {"login": "Ann", "password": PASSWORD})
    ann.refresh_from_db()
    assert ann.password != before
    assert tokens.holder(token) == ann


def test_welcome_link_expires_when_the_password_is_set() -> None:
    ann = User(username="Ann", name="Ann")
    ann.set_unusable_password()
    ann.save()
    link = urlsplit(welcome.make_link(ann)).path
    other = Client()
    form = other.get(link).url
    other.post(form, {"new_password1": NEW, "new_password2": NEW})
    assert Client().get(link).status_code == 404


def test_changepassword_command_revokes_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    token = tokens.make(account("Ann"))
    monkeypatch.setattr("getpass.getpass", lambda prompt="": NEW)
    call_command("changepassword", "Ann")
    assert tokens.holder(token) is None


SENSITIVE: dict[str, tuple[str, dict[str, str]]] = {
    "another address": (EMAIL, {"action_add": "", "email": "eve@people.example"}),
    "no address": (EMAIL, {"action_remove": "", "email": "ann@people.example"}),
    "another password": ("/account/password/change/", TWICE),
    "a token": ("/you/tokens/", {"name": "bot", "days": ""}),
    "an app": ("/account/two-step/app/", {"code": "123456"}),
    "a passkey": ("/account/two-step/passkeys/add/", {"name": "x", "credential": "{}"}),
    "recovery codes": ("/account/two-step/codes/new/", {}),
    "deleting": ("/you/delete/", {"sure": "on"}),
}


def state(ann: User) -> tuple[Any, ...]:
    fresh = User.objects.filter(pk=ann.pk).first()
    rows = EmailAddress.objects.filter(user_id=ann.pk).values_list("email", flat=True)
    steps = Authenticator.objects.filter(user_id=ann.pk).count()
    return (fresh and fresh.password, sorted(rows), ann.tokens.count() if fresh else 0, steps)


@pytest.mark.parametrize("change", SENSITIVE)
def test_sensitive_change_requires_the_password(change: str) -> None:
    ann = account("Ann", email="ann@people.example")
    client = as_user(ann, minutes_ago=60)
    before = state(ann)
    address, given = SENSITIVE[change]
    answer = client.post(address, given)
    page = client.get(answer.url) if answer.status_code == 302 else answer
    assert 'type="password"' in page.content.decode()
    assert state(ann) == before
    assert not mails()


def test_adding_an_email_address_requires_the_password_even_after_a_login() -> None:
    ann = account("Ann")
    client = as_user(ann)
    answer = client.post(EMAIL, {"action_add": "", "email": "eve@people.example"})
    assert answer.url.startswith("/account/confirm/")
    assert not EmailAddress.objects.exists()
    client.post(answer.url, {"password": "wrong"})
    assert not EmailAddress.objects.exists()
    page = client.post(answer.url, {"password": PASSWORD}, follow=True).content.decode()
    assert "We sent an e-mail to eve@people.example" in page
    assert EmailAddress.objects.get().email == "eve@people.example"


def test_requested_token_is_created_after_the_password_is_confirmed() -> None:
    ann = account("Ann")
    client = as_user(ann, minutes_ago=60)
    answer = client.post("/you/tokens/", {"name": "bot", "days": ""})
    assert not ann.tokens.exists()
    page = client.post(answer.url, {"password": PASSWORD}).content.decode()
    assert 'id="made"' in page
    assert ann.tokens.get().name == "bot"


def test_guest_needs_no_password_for_a_token() -> None:
    client, guest = as_guest()
    client.post("/you/tokens/", {"name": "bot", "days": ""})
    assert guest.tokens.exists()
