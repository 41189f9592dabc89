"""Outgoing email: recipients and limits, even if strangers abuse the forms."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import mail_addresses, mail_budget, resets
from accounts.models import User
from tests.kit.moderators import superuser
from tests.kit.people import PASSWORD, account, as_user, mails, signing_up, who

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("mail")]

RESET, SIGNUP, EMAIL = "/account/password/reset/", "/account/signup/", "/account/email/"
VICTIM = "victim@people.example"


def recipients() -> Counter[str]:
    return Counter(to for one in mails() for to in one.to)


def sign_up(name: str, email: str, **more: Any) -> Client:
    client = Client(**more)
    client.post(SIGNUP, signing_up(name, email=email))
    return client


def ask_for_a_link(email: str) -> Any:
    return Client().post(RESET, {"email": email}, follow=True)


def test_address_entered_by_strangers_is_not_flooded() -> None:
    for number in range(8):
        sign_up(f"Mallory {number}", VICTIM)
    for _ in range(5):
        assert ask_for_a_link(VICTIM).status_code == 200
    assert recipients() == {VICTIM: mail_budget.PER_UNCONFIRMED_ADDRESS[0][0]}
    assert all("confirm" in one.body for one in mails()), "nobody can be reset by that address"


def test_reset_link_goes_only_to_the_confirmed_owner() -> None:
    account("Ann", email=VICTIM)
    account("Mallory", email=VICTIM, confirmed=False)
    ask_for_a_link(VICTIM.upper())
    (sent,) = mails()
    assert "Ann" in sent.body
    assert "Mallory" not in sent.body
    assert len(re.findall("https?://", sent.body)) == 1


def test_one_mail_lists_all_accounts_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [account("Ann"), account("Bob")]
    monkeypatch.setattr(mail_addresses, "holders", lambda email: people)
    ask_for_a_link(VICTIM)
    (sent,) = mails()
    links = re.findall(r"(Ann|Bob)\n(https?://\S+)", sent.body)
    assert [name for name, _ in links] == ["Ann", "Bob"]
    for name, link in links:
        client = Client()
        form = client.get(re.sub(r"https?://[^/]+", "", link)).url
        client.post(form, {"password1": f"new horse {name}", "password2": f"new horse {name}"})
        assert User.objects.get(username=name).check_password(f"new horse {name}")


def test_reset_mails_to_an_address_are_limited() -> None:
    account("Ann", email=VICTIM)
    pages = [ask_for_a_link(VICTIM) for _ in range(5)]
    assert {page.status_code for page in pages} == {200}
    assert recipients() == {VICTIM: mail_budget.PER_CONFIRMED_ADDRESS[0][0]}


def test_nobody_can_use_up_the_mail_budget_of_others(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "mails": (4, 3600)}
    account("Ann", email=VICTIM)
    for number in range(6):
        sign_up(f"Mallory {number}", f"m{number}@people.example", REMOTE_ADDR=f"9.9.{number}.9")
    for number in range(6):
        sign_up(f"Eve {number}", VICTIM, REMOTE_ADDR=f"9.8.{number}.9")
    assert sum(recipients().values()) == 4
    ask_for_a_link(VICTIM)
    assert recipients()[VICTIM] == 1, "mails to confirmed addresses are counted apart"
    as_user(superuser()).post(
        "/admin/accounts/user/add/",
        {"username": "Bob", "email": "bob@people.example", "reason": "asked"},
    )
    assert recipients()["bob@people.example"] == 1


def test_one_client_address_cannot_use_up_the_servers_mail_budget() -> None:
    for number in range(mail_budget.PER_ASKER[0][0] + 3):
        sign_up(f"Mallory {number}", f"m{number}@people.example", REMOTE_ADDR="9.9.9.9")
    assert sum(recipients().values()) == mail_budget.PER_ASKER[0][0]
    sign_up("Ann", "ann@people.example", REMOTE_ADDR="8.8.8.8")
    assert recipients()["ann@people.example"] == 1


def test_one_account_cannot_mail_many_addresses() -> None:
    client = reauthenticated(account("Mallory"))
    for number in range(8):
        page = client.post(
            EMAIL, {"action_add": "", "email": f"m{number}@people.example"}, follow=True
        ).content.decode()
    assert sum(recipients().values()) == mail_budget.PER_ACCOUNT[0][0]
    assert "We have already sent several e-mails" in page
    assert "We sent an e-mail" not in page


def test_confirmation_can_be_resent_and_a_refusal_is_shown() -> None:
    client = sign_up("Ann", "ann@people.example")
    again = {"action_send": "", "email": "ann@people.example"}
    assert "We sent an e-mail" in client.post(EMAIL, again, follow=True).content.decode()
    client.post(EMAIL, again, follow=True)
    page = client.post(EMAIL, again, follow=True).content.decode()
    assert "We have already sent several e-mails" in page
    assert "We sent an e-mail" not in page
    assert recipients() == {"ann@people.example": 3}


def reauthenticated(user: User) -> Client:
    client = as_user(user)
    client.post("/account/confirm/?next=/", {"password": PASSWORD})
    return client


def test_addresses_added_by_staff_count_as_verified(client: Client) -> None:
    call_command(
        "createsuperuser", "--noinput", "--username", "Owner", "--email", "Owner@people.example"
    )
    root = as_user(superuser())
    root.post(
        "/admin/accounts/user/add/",
        {"username": "Bob", "email": "bob@people.example", "reason": "asked"},
    )
    eve = account("Eve")
    given = {"user": eve.pk, "email": "eve@people.example", "primary": "on", "reason": "asked"}
    root.post("/admin/account/emailaddress/add/", given)
    confirmed = EmailAddress.objects.filter(verified=True).values_list("email", flat=True)
    assert {*confirmed} == {f"{name}@people.example" for name in ("owner", "bob", "eve")}
    before = len(mails())
    for name in ("owner", "bob", "eve"):
        ask_for_a_link(f"{name}@people.example")
    assert len(mails()) == before + 3


def test_staff_cannot_confirm_an_address_confirmed_by_another() -> None:
    account("Ann", email=VICTIM)
    call_command("createsuperuser", "--noinput", "--username", "Owner", "--email", VICTIM)
    assert EmailAddress.objects.get(verified=True).user.username == "Ann"


def test_unconfirmed_claim_does_not_block_the_owner_of_an_address() -> None:
    account("Mallory", email="bob@people.example", confirmed=False)
    root = as_user(superuser())
    root.post(
        "/admin/accounts/user/add/",
        {"username": "Bob", "email": "bob@people.example", "reason": "asked"},
    )
    assert EmailAddress.objects.get(verified=True).user.username == "Bob"


@pytest.mark.parametrize("row", [True, False])
def test_unconfirmed_address_is_pointed_out_at_the_next_login(client: Client, row: bool) -> None:
    ann = account("Ann", email="ann@people.example", confirmed=False)
    if not row:
        EmailAddress.objects.all().delete()
    given = {"login": "Ann", "password": PASSWORD}
    page = client.post("/account/login/", given, follow=True).content.decode()
    assert "Confirm your address ann@people.example" in page
    assert 'href="/account/email/"' in page
    assert not mails(), "logging in sends nothing"
    client.get(EMAIL)
    client.post(EMAIL, {"action_send": "", "email": "ann@people.example"})
    client.post(re.findall(r"https?://[^/]+(\S+)", mails()[0].body)[0])
    assert EmailAddress.objects.get(user=ann).verified
    page = Client().post("/account/login/", given, follow=True).content.decode()
    assert "Confirm your address" not in page


def test_reset_request_does_the_same_work_for_every_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account("Ann", email="ann@people.example")
    account("Eve", email="eve@people.example", confirmed=False)
    submitted: list[Any] = []
    work = []
    for email in ("ann@people.example", "eve@people.example", "nobody@people.example"):
        with monkeypatch.context() as patched, CaptureQueriesContext(connection) as queries:
            patched.setattr(resets.line, "submit", submitted.append)
            Client().post(RESET, {"email": email})
        work.append(([re.sub(r"'[^']*'", "?", one["sql"]) for one in queries], len(submitted)))
        submitted.clear()
    assert work[0] == work[1] == work[2]
    assert work[0][1] == 1


def test_mail_failure_does_not_reveal_whether_an_account_exists(settings: Any) -> None:
    settings.EMAIL_BACKEND = "tests.accounts.test_accounts.Away"
    account("Ann", email="ann@people.example")
    known, unknown = (
        re.sub(rb"(served-at|csrfmiddlewaretoken).*?>", b"", ask_for_a_link(email).content)
        for email in ("ann@people.example", "nobody@people.example")
    )
    assert known == unknown


def test_reset_requests_are_refused_if_the_queue_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(resets, "MOST_WAITING", 0)
        assert ask_for_a_link("nobody@people.example").status_code == 503


@pytest.mark.parametrize("mail", [True, False])
def test_password_reset_is_offered_only_if_mail_is_on(settings: Any, mail: bool) -> None:
    settings.MAIL = mail
    ann = as_user(account("Ann"))
    for page in (Client().get("/account/login/"), ann.get("/account/password/change/")):
        assert ("Forgotten your password?" in page.content.decode()) is mail
        assert (RESET in page.content.decode()) is mail
    assert ('name="email"' in Client().get(SIGNUP).content.decode()) is mail


def test_signup_sends_only_one_mail() -> None:
    client = sign_up("Ann", "ann@people.example")
    assert str(who(client)) == "Ann"
    assert recipients() == {"ann@people.example": 1}
