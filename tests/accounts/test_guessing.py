"""Guessing a user's password is limited, and never locks the owner out."""

from __future__ import annotations

import time
from typing import Any

import pytest
from allauth.account.signals import password_reset
from django.test import Client, RequestFactory

from accounts import login_limits
from accounts.devices import COOKIE, MOST_ACCOUNTS
from accounts.limits import TooOften
from accounts.models import User
from tests.kit.people import PASSWORD, account, who

pytestmark = pytest.mark.django_db

LOGIN = "/account/login/"
TOO_MANY = "Too many tries"
HERE, FAR, SHARED = "203.0.113.7", "198.51.100.9", "203.0.113.80"


@pytest.fixture
def ann() -> User:
    return account("Ann", email="ann@parlour.example")


def attempt(client: Client, password: str = "wrong", login: str = "Ann") -> str:
    answer = client.post(LOGIN, {"login": login, "password": password})
    return answer.content.decode()


def guess_until_refused(client: Client, most: int = 10) -> int:
    """Return the number of guesses that were checked."""
    return next(at for at in range(most) if TOO_MANY in attempt(client))


def known_device(address: str = HERE) -> Client:
    """A browser in which Ann has logged in and out."""
    client = Client(REMOTE_ADDR=address)
    attempt(client, PASSWORD)
    client.post("/account/logout/")
    return client


def test_stranger_cannot_lock_the_owner_out(ann: User) -> None:
    assert guess_until_refused(Client(REMOTE_ADDR=FAR)) == 5
    owner = Client(REMOTE_ADDR=HERE)
    attempt(owner, PASSWORD)
    assert who(owner) == ann


@pytest.mark.parametrize("login", ["Ann", "ann", "ann@parlour.example"])
def test_known_device_is_not_locked_out_by_guesses_from_its_address(ann: User, login: str) -> None:
    owner = known_device()
    assert guess_until_refused(Client(REMOTE_ADDR=HERE)) == 5
    attempt(owner, PASSWORD, login)
    assert who(owner) == ann


def test_known_device_can_log_in_during_a_flood_from_its_address(ann: User, settings: Any) -> None:
    """Simulate a proxy that the server does not know."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login": "8/m/ip"}
    settings.LOGIN_LIMITS = settings.LOGIN_LIMITS | {"address": (6, 60)}
    owner = known_device(SHARED)
    for at in range(8):
        attempt(Client(REMOTE_ADDR=SHARED), login=f"nobody{at}")
    assert Client(REMOTE_ADDR=SHARED).post(LOGIN, {"login": "Ann"}).status_code == 429
    assert owner.post(LOGIN, {"login": "Bob", "password": PASSWORD}).status_code == 429
    attempt(owner, PASSWORD)
    assert who(owner) == ann


def test_guesses_from_a_known_browser_are_limited(ann: User) -> None:
    assert guess_until_refused(known_device()) == 5


@pytest.mark.parametrize("login", ["Ann", "ann@parlour.example"])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_reset_password_is_accepted_after_too_many_guesses(
    ann: User, login: str, is_known: bool
) -> None:
    owner = known_device() if is_known else Client(REMOTE_ADDR=HERE)
    phone = Client(REMOTE_ADDR=HERE)
    for client in (owner, phone):
        while TOO_MANY not in attempt(client, login=login):
            pass
    request = RequestFactory(REMOTE_ADDR=HERE).post(LOGIN)
    request.COOKIES = {name: morsel.value for name, morsel in owner.cookies.items()}
    password_reset.send(User, request=request, user=ann)
    for client in (owner, phone):
        attempt(client, PASSWORD, login)
        assert who(client) == ann


def test_guesses_from_many_addresses_are_limited_per_name(ann: User, settings: Any) -> None:
    settings.LOGIN_LIMITS = settings.LOGIN_LIMITS | {"name_anywhere": (7, 60 * 60)}
    owner = known_device()
    for at in range(7):
        assert TOO_MANY not in attempt(Client(REMOTE_ADDR=f"198.51.100.{at}"))
    stranger = Client(REMOTE_ADDR=FAR)
    assert TOO_MANY in attempt(stranger, PASSWORD)
    attempt(owner, PASSWORD)
    assert who(owner) == ann


def test_browser_is_known_only_for_accounts_that_logged_in_there(ann: User) -> None:
    account("Eve")
    eve = Client(REMOTE_ADDR=HERE)
    attempt(eve, PASSWORD, "Eve")
    eve.post("/account/logout/")
    assert guess_until_refused(Client(REMOTE_ADDR=HERE)) == 5
    assert TOO_MANY in attempt(eve)


def test_forged_device_cookie_is_ignored(ann: User) -> None:
    forger = Client(REMOTE_ADDR=FAR)
    for forged in ("nonsense", "eyJrIjoxfQ:1:x", "\x00", "x" * 4000):
        forger.cookies[COOKIE] = forged
        attempt(forger)
    assert guess_until_refused(forger) == 1


def test_browser_remembers_a_limited_number_of_accounts(ann: User) -> None:
    client = known_device()
    for at in range(MOST_ACCOUNTS):
        account(f"P{at}")
        attempt(client, PASSWORD, f"P{at}")
        client.post("/account/logout/")
    guess_until_refused(Client(REMOTE_ADDR=HERE))
    assert TOO_MANY in attempt(client)


def test_successful_login_does_not_reset_a_strangers_guesses(ann: User) -> None:
    stranger = Client(REMOTE_ADDR=FAR)
    for _ in range(4):
        assert TOO_MANY not in attempt(stranger)
    owner = Client(REMOTE_ADDR=FAR)
    attempt(owner, PASSWORD)
    assert who(owner) == ann
    assert TOO_MANY not in attempt(stranger)
    assert TOO_MANY in attempt(stranger)


def test_concurrent_guesses_are_counted_before_they_are_checked(ann: User) -> None:
    request = RequestFactory().post(LOGIN)
    for _ in range(5):
        login_limits.take(request, FAR, {"username": "Ann"})
    with pytest.raises(TooOften):
        login_limits.take(request, FAR, {"username": "Ann"})


def test_guesses_expire_after_five_minutes(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    start, request = time.time(), RequestFactory().post(LOGIN)
    for minute in (0, 4, 4, 4, 4):
        monkeypatch.setattr(time, "time", lambda minute=minute: start + 60 * minute)
        login_limits.take(request, FAR, {"username": "Ann"})
    monkeypatch.setattr(time, "time", lambda: start + 60 * 6)
    login_limits.take(request, FAR, {"username": "Ann"})
    with pytest.raises(TooOften):
        login_limits.take(request, FAR, {"username": "Ann"})
