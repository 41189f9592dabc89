"""Which push subscriptions are stored, and which are refused."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from accounts import handoff
from accounts.models import PushSubscription, User
from accounts.push import MOST
from accounts.push_keys import new_private_key, public_key
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

BASE_POINT = (
    "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
)
"""A valid P-256 public key."""
KEYS = {"p256dh": BASE_POINT, "auth": "A" * 22}
HERE = "https://fcm.googleapis.com/fcm/send/abc"


@pytest.fixture(autouse=True)
def _key(settings: Any) -> None:
    settings.PUSH_PRIVATE_KEY = new_private_key()
    settings.PUSH_PUBLIC_KEY = public_key(settings.PUSH_PRIVATE_KEY)


def send(browser: Client, address: str = "/you/calls/", **said: Any) -> int:
    body = msgspec.json.encode({"endpoint": HERE, "keys": KEYS, **said})
    return browser.post(address, body, content_type="application/json").status_code


def listening(user: User) -> list[str]:
    return [one.endpoint for one in PushSubscription.objects.filter(user=user).order_by("pk")]


def test_subscription_is_stored_once_and_can_be_removed() -> None:
    ann = PersonFactory()
    browser = as_user(ann)
    assert send(browser) == send(browser, expirationTime=None) == 204
    assert listening(ann) == [HERE]
    assert send(browser, "/you/calls/end/") == 204
    assert listening(ann) == []
    assert send(browser, "/you/calls/end/") == 204  # nothing left to do


def test_subscription_cannot_be_taken_over_with_its_address_alone() -> None:
    ann, eve = PersonFactory(), PersonFactory()
    send(as_user(ann))
    for wrong in ({"auth": "B" * 21 + "A"}, {"p256dh": public_key(new_private_key())}):
        assert send(as_user(eve), keys={**KEYS, **wrong}) == 422
    assert (listening(ann), listening(eve)) == ([HERE], [])


def test_subscription_is_removed_on_logout_and_handoff() -> None:
    ann = PersonFactory()
    phone, tablet, computer = as_user(ann), as_user(ann), as_user(ann)
    for at, browser in enumerate((phone, tablet, computer)):
        send(browser, endpoint=f"{HERE}{at}")
    phone.post("/account/logout/")
    assert listening(ann) == [f"{HERE}1", f"{HERE}2"]
    handoff.use(handoff.make(ann, tablet.session.session_key or ""))
    assert listening(ann) == [f"{HERE}2"]


def test_subscription_belongs_to_the_last_user_of_the_browser() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    send(as_user(ann))
    send(as_user(bob))
    assert (listening(ann), listening(bob)) == ([], [HERE])
    assert send(as_user(ann), "/you/calls/end/") == 204
    assert listening(bob) == [HERE]  # only the owner can end it


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://localhost/send"},
        {"endpoint": "https://evilfcm.googleapis.com.example.org/x"},
        {"endpoint": "https://notfcm.googleapis.com/x"},
        {"endpoint": "http://fcm.googleapis.com/x"},
        {"endpoint": "https://fcm.googleapis.com:8443/x"},
        {"endpoint": "https://me@fcm.googleapis.com/x"},
        {"endpoint": "https://evil.example\\.fcm.googleapis.com/x"},
        {"endpoint": "https://evil.example\\@fcm.googleapis.com/x"},
        {"endpoint": "https://evil.example#.fcm.googleapis.com/x"},
        {"endpoint": "https://evil.example%2f.fcm.googleapis.com/x"},
        {"endpoint": "https://[fcm.googleapis.com/x"},
        {"endpoint": HERE + "\0"},
        {"endpoint": HERE + "\n"},
        {"endpoint": HERE + "ä"},
        {"endpoint": HERE + "x" * 1000},
        {"endpoint": 7},
        {"keys": {**KEYS, "auth": "short"}},
        {"keys": {**KEYS, "p256dh": "!" * 87}},
        {"keys": {**KEYS, "p256dh": "B" + "A" * 86}},
        {"keys": {}},
    ],
    ids=str,
)
def test_invalid_or_foreign_subscription_is_rejected(wrong: dict[str, Any]) -> None:
    ann = PersonFactory()
    assert send(as_user(ann), **wrong) == 422
    assert listening(ann) == []


def test_invalid_json_is_rejected() -> None:
    browser = as_user(PersonFactory())
    for address in ("/you/calls/", "/you/calls/end/"):
        for body in (b"\xff{", b'{"x":' + b"[" * 100_000):
            answer = browser.post(address, body, content_type="application/json")
            assert answer.status_code == 422


def test_oldest_subscription_is_replaced_at_the_limit() -> None:
    ann = PersonFactory()
    browser = as_user(ann)
    for at in range(MOST + 1):
        send(browser, endpoint=f"{HERE}{at}")
    assert listening(ann) == [f"{HERE}{at}" for at in range(1, MOST + 1)]


def test_server_without_a_key_accepts_no_subscription(settings: Any) -> None:
    settings.PUSH_PUBLIC_KEY = ""
    ann = PersonFactory()
    assert send(as_user(ann)) == 404
    assert "data-push-key" not in as_user(ann).get("/tables/").content.decode()


def test_pages_of_logged_in_users_contain_the_push_key(settings: Any) -> None:
    told = f'data-push-key="{settings.PUSH_PUBLIC_KEY}"'
    assert told in as_user(PersonFactory()).get("/tables/").content.decode()
    assert told not in Client().get("/").content.decode()


def test_export_lists_subscriptions_without_the_address() -> None:
    ann = PersonFactory()
    send(as_user(ann))
    (told,) = json.loads(download(as_user(ann)).content)["notifiedBrowsers"]
    assert told["service"] == "fcm.googleapis.com"


def test_command_creates_a_key_and_an_invalid_key_is_reported(capsys: Any) -> None:
    call_command("push_key")
    name, _, key = capsys.readouterr().out.strip().partition("=")
    assert name == "PUSH_PRIVATE_KEY"
    assert len(public_key(key)) == 87
    for wrong in ("x", "A" * 43, "ä"):
        with pytest.raises(ImproperlyConfigured, match="push_key"):
            public_key(wrong)
