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


def test_an_address_that_strangers_name_is_not_flooded() -> None:
    for number in range(8):
        sign_up(f"Mallory {number}", VICTIM)
    for _ in range(5):
        assert ask_for_a_link(VICTIM).status_code == 200
    assert recipients() == {VICTIM: mail_budget.PER_UNCONFIRMED_ADDRESS[0][0]}
    assert all("confirm" in one.body for one in mails()), "nobody can be reset by that address"


def test_a_link_goes_to_who_has_confirmed_the_address_alone() -> None:
    account("Ann", email=VICTIM)
    account("Mallory", email=VICTIM, confirmed=False)
    ask_for_a_link(VICTIM.upper())
    (sent,) = mails()
    assert "Ann" in sent.body
    assert "Mallory" not in sent.body
    assert len(re.findall("https?://", sent.body)) == 1


def test_one_mail_names_all_accounts_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_who_asks_too_often_is_sent_the_first_links_only() -> None:
    account("Ann", email=VICTIM)
    pages = [ask_for_a_link(VICTIM) for _ in range(5)]
    assert {page.status_code for page in pages} == {200}
    assert recipients() == {VICTIM: mail_budget.PER_CONFIRMED_ADDRESS[0][0]}


def test_nobody_uses_up_the_mails_of_others(settings: Any) -> None:
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


def test_one_network_address_does_not_use_up_what_the_server_may_send() -> None:
    for number in range(mail_budget.PER_ASKER[0][0] + 3):
        sign_up(f"Mallory {number}", f"m{number}@people.example", REMOTE_ADDR="9.9.9.9")
    assert sum(recipients().values()) == mail_budget.PER_ASKER[0][0]
    sign_up("Ann", "ann@people.example", REMOTE_ADDR="8.8.8.8")
    assert recipients()["ann@people.example"] == 1


def test_one_account_does_not_write_to_many_addresses() -> None:
    client = reauthenticated(account("Mallory"))
    for number in range(8):
        page = client.post(
            EMAIL, {"action_add": "", "email": f"m{number}@people.example"}, follow=True
        ).content.decode()
    assert sum(recipients().values()) == mail_budget.PER_ACCOUNT[0][0]
    assert "We have already sent several e-mails" in page
    assert "We sent an e-mail" not in page


def test_a_link_can_be_sent_again_and_a_refusal_is_said() -> None:
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


def test_addresses_that_staff_give_are_confirmed(client: Client) -> None:
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


def test_staff_cannot_confirm_what_another_has_confirmed() -> None:
    account("Ann", email=VICTIM)
    call_command("createsuperuser", "--noinput", "--username", "Owner", "--email", VICTIM)
    assert EmailAddress.objects.get(verified=True).user.username == "Ann"


def test_an_address_somebody_names_does_not_keep_its_owner_from_an_account() -> None:
    account("Mallory", email="bob@people.example", confirmed=False)
    root = as_user(superuser())
    root.post(
        "/admin/accounts/user/add/",
        {"username": "Bob", "email": "bob@people.example", "reason": "asked"},
    )
    assert EmailAddress.objects.get(verified=True).user.username == "Bob"


@pytest.mark.parametrize("row", [True, False])
def test_who_has_not_confirmed_their_address_is_asked_at_the_next_login(
    client: Client, row: bool
) -> None:
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


def test_a_request_for_a_link_does_the_same_work_whoever_asks(
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


def test_a_mail_server_that_is_away_tells_nobody_who_has_an_account(settings: Any) -> None:
    settings.EMAIL_BACKEND = "tests.accounts.test_accounts.Away"
    account("Ann", email="ann@people.example")
    known, unknown = (
        re.sub(rb"(served-at|csrfmiddlewaretoken).*?>", b"", ask_for_a_link(email).content)
        for email in ("ann@people.example", "nobody@people.example")
    )
    assert known == unknown


def test_a_rush_for_links_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(resets, "MOST_WAITING", 0)
        assert ask_for_a_link("nobody@people.example").status_code == 503


@pytest.mark.parametrize("mail", [True, False])
def test_a_new_password_is_offered_where_mail_can_be_sent(settings: Any, mail: bool) -> None:
    settings.MAIL = mail
    ann = as_user(account("Ann"))
    for page in (Client().get("/account/login/"), ann.get("/account/password/change/")):
        assert ("Forgotten your password?" in page.content.decode()) is mail
        assert (RESET in page.content.decode()) is mail
    assert ('name="email"' in Client().get(SIGNUP).content.decode()) is mail


def test_nothing_is_sent_twice_for_one_sign_up() -> None:
    client = sign_up("Ann", "ann@people.example")
    assert str(who(client)) == "Ann"
    assert recipients() == {"ann@people.example": 1}
