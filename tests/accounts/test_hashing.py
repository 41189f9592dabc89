"""Passwords are hashed one at a time, once per attempt. If too many wait, more are refused."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.test import Client

from accounts import hashing
from accounts.models import User
from config import settings as shipped
from games.contract.core import Refused
from games.rooms import passwords
from tests.kit.people import PASSWORD, account, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)

LOGIN = "/account/login/"


@pytest.fixture
def hashers(settings: Any) -> None:
    """Use the production hashers instead of the fast one of the tests."""
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS


@pytest.fixture
def hashes(hashers: None, monkeypatch: Any) -> Counter[str]:
    """Count the number of times a password is hashed."""
    counted: Counter[str] = Counter()
    for name in ("encode", "verify"):
        original = getattr(Argon2PasswordHasher, name)

        def counting(*args: Any, original: Any = original) -> Any:
            counted["hashes"] += 1
            return original(*args)

        monkeypatch.setattr(Argon2PasswordHasher, name, counting)
    return counted


@contextmanager
def rushing() -> Iterator[None]:
    """Fill the queue of passwords that wait to be hashed."""
    may_go_on = threading.Event()
    waiting = [hashing.submit(lambda: may_go_on.wait(20)) for _ in range(hashing.MOST_WAITING)]
    try:
        yield
    finally:
        may_go_on.set()
        wait(waiting, 20)


@pytest.fixture
def rush() -> Iterator[None]:
    with rushing():
        yield


def attempt(login: str, password: str = "wrong") -> Any:
    return Client().post(LOGIN, {"login": login, "password": password})


@pytest.mark.parametrize("login", ["Ann", "nobody", "ann@parlour.example", "no@parlour.example"])
def test_every_login_attempt_costs_one_hash(hashes: Counter[str], login: str) -> None:
    account("Ann", email="ann@parlour.example")
    hashes.clear()
    assert attempt(login).status_code == 200
    assert hashes["hashes"] == 1


def test_address_of_many_accounts_costs_one_hash(hashes: Counter[str]) -> None:
    for name in ("Ann", "Bob", "Eve"):
        account(name, email="ann@parlour.example", confirmed=False)
    hashes.clear()
    attempt("ann@parlour.example")
    assert hashes["hashes"] == 1


def test_passwords_are_hashed_with_the_recommended_parameters(hashers: None) -> None:
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in make_password(PASSWORD)


def test_outdated_hash_is_accepted_and_upgraded(hashers: None) -> None:
    ann = account("Ann")
    for memory, algorithm in ((1024, "argon2"), (0, "pbkdf2_sha256")):
        old = Argon2PasswordHasher()
        old.memory_cost = memory
        stored = (
            old.encode(PASSWORD, "saltsaltsalt")
            if memory
            else make_password(PASSWORD, hasher=algorithm)
        )
        User.objects.filter(pk=ann.pk).update(password=stored)
        attempt("Ann", PASSWORD)
        ann.refresh_from_db()
        assert "m=19456" in ann.password
        assert check_password(PASSWORD, ann.password)


def test_passwords_are_hashed_one_at_a_time(hashers: None, monkeypatch: Any) -> None:
    running, most = Counter[str](), Counter[str]()
    original = Argon2PasswordHasher.verify

    def watched(*args: Any) -> Any:
        running["now"] += 1
        most["at once"] = max(most["at once"], running["now"])
        try:
            return original(*args)
        finally:
            running["now"] -= 1

    account("Ann")
    monkeypatch.setattr(Argon2PasswordHasher, "verify", watched)
    people = [threading.Thread(target=attempt, args=("Ann",)) for _ in range(4)]
    for thread in people:
        thread.start()
    for thread in people:
        thread.join()
    assert most == {"at once": 1}


@pytest.mark.parametrize("page", ["login", "signup"])
def test_page_is_refused_immediately_if_hashing_is_overloaded(
    hashers: None, rush: None, page: str
) -> None:
    given = signing_up("Ann") if page == "signup" else {"login": "nobody", "password": "wrong"}
    answer = Client().post(f"/account/{page}/", given)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert "try again in a moment" in answer.content.decode()
    assert not User.objects.exists()


def test_table_passwords_are_refused_if_hashing_is_overloaded(hashers: None, rush: None) -> None:
    for asked in (passwords.hashed("dragon"), passwords.proof("K7QX2", "dragon")):
        with pytest.raises(Refused, match="busy"):
            asked.result(5)


def test_attempt_refused_by_overload_is_not_counted(hashers: None, settings: Any) -> None:
    settings.LOGIN_LIMITS = dict.fromkeys(settings.LOGIN_LIMITS, (1, 60))
    ann, client = account("Ann"), Client()
    with rushing():
        assert client.post(LOGIN, {"login": "Ann", "password": PASSWORD}).status_code == 503
    client.post(LOGIN, {"login": "Ann", "password": PASSWORD})
    assert who(client) == ann
