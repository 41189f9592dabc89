"""The second step of a login with app codes. Passkeys are tested in a browser."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from tests.kit.downloads import download
from tests.kit.moderators import superuser
from tests.kit.passkeys import passkey
from tests.kit.people import PASSWORD, account, as_guest, as_user, who

pytestmark = pytest.mark.django_db(transaction=True)

ADMIN, STEPS = "/admin/", "/account/two-step/"


@pytest.fixture
def required(settings: Any) -> None:
    settings.STAFF_SECOND_STEP = "required"


class Phone:
    """An authenticator app whose clock can be moved."""

    def __init__(self, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.secret, self.periods = secret, 0
        clock = totp.time.time
        monkeypatch.setattr(totp, "time", self)
        self.time = lambda: clock() + 30 * self.periods

    def code(self, earlier: int = 0) -> str:
        counter = int(self.time()) // 30 - earlier
        return totp.format_hotp_value(totp.hotp_value(self.secret, counter))

    def next(self) -> str:
        """Return a fresh code by advancing half a minute."""
        self.periods += 1
        return self.code()


def set_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """Scan the key and enter the first code."""
    page = client.get(f"{STEPS}app/").content.decode()
    found = re.search(r'id="secret">(\w+)<', page)
    assert found is not None
    phone = Phone(found[1], monkeypatch)
    done = client.post(f"{STEPS}app/", {"code": phone.code()})
    assert done.url == f"{STEPS}codes/"
    return phone


def log_in(name: str = "Ann") -> Client:
    """Log in up to the second step."""
    client = Client()
    client.post("/account/login/", {"login": name, "password": PASSWORD})
    return client


def test_login_requires_a_code_after_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = account("Ann")
    phone = set_up(as_user(ann), monkeypatch)
    client = log_in()
    assert who(client) is None
    assert client.get("/you/").status_code == 302
    wrong = client.post("/account/login/code/", {"code": "000000"}).content.decode()
    assert "wrong or already used" in wrong
    assert client.post("/account/login/code/", {"code": phone.next()}).status_code == 302
    assert who(client) == ann


@pytest.mark.parametrize("code", ["", "x" * 5000, "١٢٣٤٥٦", "12 34", "a\x00b", "🂡"])
def test_malformed_code_is_rejected(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    set_up(as_user(account("Ann")), monkeypatch)
    client = log_in()
    answer = client.post("/account/login/code/", {"code": code})
    assert answer.status_code == 200
    assert 'class="problem"' in answer.content.decode()
    assert who(client) is None


def test_app_code_is_valid_once_within_its_period(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = set_up(as_user(account("Ann")), monkeypatch)
    code = phone.next()
    assert who_after(log_in(), code)
    phone.periods += 1  # the previous code is accepted as well
    assert not who_after(log_in(), code)
    assert not who_after(log_in(), f" {code[:3]} {code[3:]} ")
    assert who_after(log_in(), phone.code())


def who_after(client: Client, code: str) -> User | None:
    client.post("/account/login/code/", {"code": code})
    return who(client)


def test_code_attempts_at_login_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = set_up(as_user(account("Ann")), monkeypatch)
    client = log_in()
    for number in range(10):
        page = client.post("/account/login/code/", {"code": f"00000{number}"})
    assert "Too many tries" in page.content.decode()
    page = client.post("/account/login/code/", {"code": phone.next()})
    assert "Too many tries" in page.content.decode()
    assert who(client) is None


def test_code_attempts_at_confirmation_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    client = as_user(account("Ann"))
    set_up(client, monkeypatch)
    for _ in range(12):
        page = client.post("/account/confirm/code/", {"code": "000000"})
    assert page.status_code == 429
    assert "Wait a few minutes" in page.content.decode()


def test_recovery_code_is_valid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    client = as_user(account("Ann"))
    set_up(client, monkeypatch)
    codes = client.get(f"{STEPS}codes/file/").content.decode().split()
    assert len(codes) == 10
    assert who_after(log_in(), codes[0])
    assert not who_after(log_in(), codes[0])
    assert codes[0] not in client.get(f"{STEPS}codes/").content.decode()
    assert "9 codes left" in client.get(STEPS).content.decode()
    client.post(f"{STEPS}codes/new/")
    assert not who_after(log_in(), codes[1])


def test_app_secrets_are_useless_without_the_secret_key(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    phone = set_up(as_user(account("Ann")), monkeypatch)
    assert phone.secret not in str(list(Authenticator.objects.values_list("data", flat=True)))
    settings.SECRET_KEY = "another"
    assert not who_after(log_in(), phone.next())


def test_second_factor_pages_require_an_account() -> None:
    guest, _ = as_guest()
    for client in (guest, Client()):
        assert client.get(f"{STEPS}app/").url.startswith("/account/login/")
    assert "Add a passkey" in as_user(account("Ann")).get(STEPS).content.decode()


def test_second_factor_setup_requires_recent_authentication() -> None:
    ann = account("Ann")
    late = as_user(ann, minutes_ago=11)
    assert late.get(f"{STEPS}app/").url.startswith("/account/confirm/")
    wrong = late.post("/account/confirm/", {"password": "wrong"})
    assert wrong.status_code == 200
    assert 'class="problem"' in wrong.content.decode()
    there = f"/account/confirm/?next={STEPS}app/"
    assert late.post(there, {"password": PASSWORD}).url == f"{STEPS}app/"
    assert late.get(f"{STEPS}app/").status_code == 200


# --- passkeys: the parts that need no browser ----------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        *("", "null", "[]", "{}", "1", '"x"', "{", '{"id": 1}'),
        json.dumps({"response": {}, "id": "x"}),
        pytest.param("1" * 5000, id="too many digits"),
        pytest.param("[" * 30_000, id="too deep"),
    ],
)
def test_malformed_passkey_is_rejected(said: str) -> None:
    ann = account("Ann")
    passkey(ann, "Key")
    given = {"credential": said, "name": "Key", "passwordless": "on"}
    client = as_user(ann)
    client.get(f"{STEPS}passkeys/add/")
    page = client.post(f"{STEPS}passkeys/add/", given)
    assert "work. Try again" in page.content.decode() or "wrong" in page.content.decode()
    stranger = Client()
    stranger.get("/account/login/passkey/", headers={"accept": "application/json"})
    page = stranger.post("/account/login/passkey/", given, follow=True)
    assert "passkey didn" in page.content.decode()
    assert Authenticator.objects.count() == 1


def test_passkeys_of_a_user_have_unique_names() -> None:
    ann, bob = account("Ann"), account("Bob")
    first, second = passkey(ann, "Laptop"), passkey(ann, "Phone")
    passkey(bob, "Key")
    client = as_user(ann)
    page = f"{STEPS}passkeys/{second.pk}/name/"
    same = client.post(page, {"name": " Laptop "})
    assert "already have a passkey with that name" in same.content.decode()
    for none in ("", "  ", "\u200b"):
        assert 'class="problem"' in client.post(page, {"name": none}).content.decode()
    client.post(page, {"name": "Key"})
    second.refresh_from_db()
    assert str(second) == "Key"
    assert as_user(bob).post(page, {"name": "Mine"}).status_code == 404
    assert as_user(bob).post(f"{STEPS}passkeys/{first.pk}/remove/").status_code == 404


# --- staff ---------------------------------------------------------------------------------------


def test_staff_must_set_up_a_second_factor_before_using_the_admin(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = superuser()
    client = as_user(root)
    page = client.get(ADMIN, follow=True)
    assert page.redirect_chain[-1][0] == STEPS
    assert "Staff need two-step login here" in page.content.decode()
    for address in ("/admin/accounts/user/", "/admin/operations/"):
        assert client.get(address).url == STEPS
    set_up(client, monkeypatch)
    assert client.get(ADMIN).status_code == 200


def test_second_factor_is_not_required_of_others_or_if_optional(
    required: None, settings: Any
) -> None:
    assert as_user(account("Bob")).get("/").status_code == 200
    settings.STAFF_SECOND_STEP = "optional"
    assert as_user(superuser()).get(ADMIN).status_code == 200


def test_login_without_the_second_factor_is_no_longer_accepted(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = superuser()
    old = as_user(root)
    phone = set_up(as_user(root), monkeypatch)
    way = old.get("/admin/accounts/user/?q=a").url
    assert way.startswith("/account/confirm/code/")
    done = old.post(way, {"code": phone.next()})
    assert done.url == "/admin/accounts/user/?q=a"
    assert old.get(ADMIN).status_code == 200


def test_login_with_the_second_factor_opens_the_admin(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = set_up(as_user(superuser()), monkeypatch)
    client = log_in("Root")
    client.post("/account/login/code/", {"code": phone.next()})
    assert client.get(ADMIN).status_code == 200


def test_staff_cannot_remove_their_last_second_factor(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = superuser()
    client = as_user(root)
    set_up(client, monkeypatch)
    page = client.post(f"{STEPS}app/remove/")
    assert "This is your last one" in page.content.decode()
    key = passkey(root, "Key")
    assert client.post(f"{STEPS}app/remove/").status_code == 302
    page = client.post(f"{STEPS}passkeys/{key.pk}/remove/", follow=True)
    assert "This is your last one" in page.content.decode()
    assert Authenticator.objects.filter(pk=key.pk).exists()


def test_other_users_may_remove_their_second_factor(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = as_user(account("Ann"))
    set_up(client, monkeypatch)
    client.post(f"{STEPS}app/remove/")
    assert not Authenticator.objects.exists()
    assert who(log_in()) is not None


def test_second_factor_secrets_have_no_admin_page() -> None:
    assert as_user(superuser()).get("/admin/mfa/authenticator/").status_code == 404


def test_command_removes_the_second_factors_of_a_superuser() -> None:
    root = superuser()
    passkey(root, "Key")
    out = StringIO()
    call_command("second_step", "root", stdout=out)
    call_command("second_step", "root", "--off", stdout=out)
    assert "apps: 1" in out.getvalue()
    assert who(log_in("Root")) == root
    with pytest.raises(CommandError, match="no user"):
        call_command("second_step", "Zoe")


def test_export_lists_second_factors_without_secrets() -> None:
    ann = account("Ann")
    passkey(ann, "Key")
    told = json.loads(download(as_user(ann)).content)["secondSteps"]
    assert [(one["kind"], one["name"]) for one in told] == [("webauthn", "Key")]
    assert set(told[0]) == {"kind", "name", "made", "lastUsed"}
