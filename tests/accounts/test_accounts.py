"""Registration, login, logout and new passwords: accepted input and responses."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.kit.factories import PersonFactory
from tests.kit.moderators import superuser
from tests.kit.people import PASSWORD, account, as_guest, as_user, mails, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)


def test_new_account_is_logged_in_under_its_name(client: Client) -> None:
    answer = client.post("/account/signup/?next=/decks/", signing_up("Ann"))
    assert answer.url == "/decks/"
    ann = who(client)
    assert ann is not None
    assert (ann.username, str(ann), ann.is_guest) == ("Ann", "Ann", False)
    assert b"Ann" in client.get("/").content


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Bob", "is taken"),
        ("bOB", "is taken"),
        ("Вob", "looks too much like another"),  # the first letter is Cyrillic
        ("Robert", "is taken"),  # Bob's display name
        ("b\u202eob", "visible character"),
        ("a@b.example", "contain @"),
        ("x" * 21, "at most 20 characters"),
        ("   ", "required"),
    ],
)
def test_invalid_name_is_rejected_with_a_message(client: Client, name: str, sentence: str) -> None:
    bob = account("Bob")
    bob.name = "Robert"
    bob.save()
    page = client.post("/account/signup/", signing_up(name)).content.decode()
    assert sentence in page
    assert "autofocus" in page
    assert User.objects.count() == 1


def test_name_of_a_guest_can_be_registered(client: Client) -> None:
    PersonFactory(name="Ann")
    client.post("/account/signup/", signing_up("Ann"))
    assert User.objects.get(username="Ann").is_guest is False


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"password2": "another horse 8"}, "same password each time"),
        ({"password1": "1234", "password2": "1234"}, "too short"),
        ({"password1": "", "password2": ""}, "required"),
    ],
)
def test_unsuitable_password_is_rejected_with_a_message(
    client: Client, more: dict[str, str], sentence: str
) -> None:
    page = client.post("/account/signup/", signing_up("Ann", **more)).content.decode()
    assert sentence in page
    assert 'value="Ann"' in page, "what was typed is kept"
    assert not User.objects.exists()


@pytest.mark.parametrize("login", ["Ann", "nobody", "ann@parlour.example", "x" * 900, "a\x00b"])
def test_failed_login_does_not_reveal_the_reason(client: Client, login: str) -> None:
    account("Ann")
    answer = client.post("/account/login/", {"login": login, "password": "wrong"})
    assert answer.status_code == 200
    assert who(client) is None
    assert "Ann has" not in answer.content.decode()
    if "\x00" not in login:
        assert "Wrong name or password." in answer.content.decode()


@pytest.mark.parametrize(
    ("staff", "hours", "lasts"), [(True, 12, 12), (True, 0, 1440), (False, 12, 1440)]
)
def test_staff_session_lasts_twelve_hours(
    client: Client, settings: Any, staff: bool, hours: int, lasts: int
) -> None:
    settings.STAFF_HOURS = hours
    account("Ann", is_staff=staff)
    client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    ends = client.session.get_expiry_date()
    wanted = timezone.now() + timedelta(hours=lasts)
    assert abs(ends - wanted) < timedelta(minutes=5)
    client.post("/theme/", {"theme": "light"})
    assert abs(client.session.get_expiry_date() - wanted) < timedelta(minutes=5)


def test_staff_session_limit_applies_to_users_promoted_after_login() -> None:
    ann, bob = account("Ann"), account("Bob")
    early, late = as_user(ann, minutes_ago=13 * 60), as_user(bob, minutes_ago=60)
    User.objects.update(is_staff=True)
    answer = early.get("/you/")
    assert answer.url == "/account/login/?next=/you/"
    assert "Logins of staff last 12 hours" in early.get(answer.url).content.decode()
    assert who(early) is None
    assert late.get("/you/").status_code == 200
    wanted = timezone.now() + timedelta(hours=11)
    assert abs(late.session.get_expiry_date() - wanted) < timedelta(minutes=5)


def test_guests_cannot_log_in_with_a_password(client: Client) -> None:
    guest = PersonFactory(name="Ann")
    guest.set_unusable_password()
    guest.save()
    client.post("/account/login/", {"login": guest.username, "password": ""})
    client.post("/account/login/", {"login": guest.username, "password": guest.password})
    assert who(client) is None


def test_registration_is_rate_limited(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    for name in ("A1", "A2"):
        Client().post("/account/signup/", signing_up(name))
    answer = client.post("/account/signup/", signing_up("A3"))
    assert answer.status_code == 429
    assert "Wait a few minutes" in answer.content.decode()


def test_banned_user_gets_an_explanation_and_stays_logged_out(client: Client) -> None:
    account("Ann", is_active=False)
    answer = client.post("/account/login/", {"login": "Ann", "password": PASSWORD}, follow=True)
    assert "cannot take part" in answer.content.decode()
    assert who(client) is None


@pytest.mark.parametrize("page", ["login", "signup"])
def test_logged_in_user_is_redirected_from_login_and_signup(page: str) -> None:
    client = as_user(account("Ann"))
    assert client.get(f"/account/{page}/").url == "/"


def test_redirect_to_another_site_is_not_followed(client: Client) -> None:
    account("Ann")
    given = {"login": "Ann", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/account/login/", given).url == "/"


def test_password_change_requires_the_old_password() -> None:
    ann = account("Ann")
    client = as_user(ann)
    new = {"password1": "another horse 8", "password2": "another horse 8"}
    client.post("/account/password/change/", {"oldpassword": "wrong", **new})
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
    client.post("/account/password/change/", {"oldpassword": PASSWORD, **new})
    ann.refresh_from_db()
    assert ann.check_password("another horse 8")
    assert who(client) == ann


@pytest.mark.parametrize("page", ["password/change", "password/set", "email"])
def test_guests_have_no_password_and_no_email_address(page: str) -> None:
    client, guest = as_guest()
    new = {"password1": "another horse 8", "password2": "another horse 8", "email": "a@b.example"}
    assert client.post(f"/account/{page}/", new).url.startswith("/account/login/")
    guest.refresh_from_db()
    assert not guest.email
    assert not guest.check_password("another horse 8")


def test_no_email_address_is_requested_if_mail_is_off(
    client: Client,
) -> None:
    assert b'name="email"' not in client.get("/account/signup/").content
    client.post("/account/signup/", signing_up("Ann", email="ann@parlour.example"))
    assert User.objects.get().email == ""
    for address in ("/account/password/reset/", "/account/email/"):
        assert "The administrators of this site" in client.get(address).content.decode()
    Client().post("/account/password/reset/", {"email": "ann@parlour.example"})
    assert not mails()


def reset_link() -> str:
    found = re.search(r"https?://\S+(/account/\S+)", str(mails()[-1].body))
    assert found
    return found[1]


def test_password_reset_link_works_once(client: Client, mail: None) -> None:
    ann = account("Ann", email="ann@parlour.example")
    client.post("/account/password/reset/", {"email": "ann@parlour.example"})
    link = reset_link()
    form = client.get(link).url
    new = {"password1": "another horse 8", "password2": "another horse 8"}
    client.post(form, new)
    ann.refresh_from_db()
    assert ann.check_password("another horse 8")
    assert "no longer works" in Client().get(link).content.decode()


def test_password_reset_clears_earlier_failed_logins(client: Client, mail: None) -> None:
    ann = account("Ann", email="ann@parlour.example")
    for _ in range(6):
        client.post("/account/login/", {"login": "Ann", "password": "wrong"})
    client.post("/account/password/reset/", {"email": "ann@parlour.example"})
    client.post(client.get(reset_link()).url, dict.fromkeys(("password1", "password2"), PASSWORD))
    client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert who(client) == ann


def test_forged_reset_link_is_rejected_with_a_message(client: Client) -> None:
    answer = client.get("/account/password/reset/key/1-abcdef-0123456789/")
    assert "no longer works" in answer.content.decode()


def test_reset_request_does_not_reveal_whether_an_account_exists(
    client: Client, mail: None
) -> None:
    account("Ann", email="ann@parlour.example")
    pages = [
        client.post("/account/password/reset/", {"email": address}, follow=True)
        for address in ("ann@parlour.example", "nobody@parlour.example")
    ]
    known, unknown = (
        re.sub(rb"(served-at|csrfmiddlewaretoken).*?>", b"", page.content) for page in pages
    )
    assert known == unknown
    assert len(mails()) == 1


def test_reset_link_does_not_log_out_a_guest(mail: None) -> None:
    account("Bob", email="bob@parlour.example")
    client, guest = as_guest()
    client.post("/account/password/reset/", {"email": "bob@parlour.example"})
    client.get(reset_link(), follow=True)
    assert who(client) == guest


def test_email_address_is_confirmed_by_a_link(client: Client, mail: None) -> None:
    client.post("/account/signup/", signing_up("Ann", email="ann@parlour.example"))
    page = client.post(reset_link(), follow=True).content.decode()
    assert "ann@parlour.example is confirmed" in page
    assert who(client).emailaddress_set.get().verified  # type: ignore[union-attr, attr-defined]


def test_unreachable_mail_server_causes_only_a_message(
    client: Client, mail: None, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "tests.accounts.test_accounts.Away"
    given = signing_up("Ann", email="ann@parlour.example")
    page = client.post("/account/signup/", given, follow=True).content.decode()
    assert "could not send the e-mail" in page
    assert "We sent" not in page
    assert str(who(client)) == "Ann"


class Away:
    """A mail server that cannot be reached."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError


def test_admin_pages_use_the_same_login() -> None:
    stranger, (guest, _) = Client(), as_guest()
    for client in (stranger, guest):
        answer = client.get("/admin/", follow=True)
        assert answer.request["PATH_INFO"] == "/account/login/"
    account("Ann", is_staff=True)
    given = {"login": "Ann", "password": PASSWORD, "next": "/admin/"}
    assert stranger.post("/account/login/", given).url == "/admin/"
    assert stranger.get("/admin/").status_code == 200
    assert as_user(account("Bob")).get("/admin/", follow=True).status_code == 403


def test_administrator_creates_an_account_and_sets_a_new_password(
    client: Client,
) -> None:
    root = as_user(superuser())
    page = root.post(
        "/admin/accounts/user/add/", {"username": "Ann B", "email": "", "reason": "asked"}
    )
    link = re.findall(r'value="[^"]*(/account/welcome/[^"]+)"', page.content.decode())[0]
    invited = Client()
    form = invited.get(link, follow=True).redirect_chain[-1][0]
    invited.post(form, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    ann = User.objects.get(username="Ann B")
    client.post("/account/login/", {"login": "ann b", "password": PASSWORD})
    assert who(client) == ann
    new = {"password1": "another horse 8", "password2": "another horse 8"}
    root.post(
        f"/admin/accounts/user/{ann.pk}/password/", {**new, "set_password": "x", "reason": "asked"}
    )
    assert who(client) == ann
    assert b"Ann B" not in client.get("/").content, "anyone who knew the old one is out"
    client.post("/account/login/", {"login": "Ann B", "password": "another horse 8"})
    assert b"Ann B" in client.get("/").content


@pytest.mark.parametrize("forwarded", ["", "1.2.3.4", "nonsense", ",,,", "1.2.3.4, 5.6.7.8, x"])
def test_login_attempts_work_with_any_forwarded_header(
    client: Client, settings: Any, forwarded: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    given = {"login": "nobody", "password": "wrong"}
    answer = client.post("/account/login/", given, headers={"x-forwarded-for": forwarded})
    assert answer.status_code == 200
