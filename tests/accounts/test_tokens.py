"""The account page: renaming, and tokens for programs."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from games import rooms
from tests.kit.factories import PersonFactory, open_table
from tests.kit.named import same_names
from tests.kit.people import account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)


def make(client: Client, name: str = "my bot", days: str = "30") -> tuple[Any, str]:
    """Request a token. Return the page and the token that it shows."""
    answer = client.post("/you/tokens/", {"name": name, "days": days})
    found = re.search(r'id="made"[^>]*value="([^"]+)"', answer.content.decode())
    return answer, found[1] if found else ""


@pytest.fixture(params=["guest", "registered"])
def somebody(request: pytest.FixtureRequest) -> User:
    return PersonFactory(name="Ann") if request.param == "guest" else account("Ann")


def test_token_is_shown_once_and_stored_as_a_hash(somebody: User) -> None:
    client = as_user(somebody)
    answer, token = make(client)
    assert answer.status_code == 201
    assert "no-store" in answer.headers["Cache-Control"]
    assert tokens.holder(token) == somebody
    assert token not in str(list(Token.objects.values_list()))
    page = client.get("/you/").content.decode()
    assert token not in page
    assert "my bot" in page


@pytest.mark.parametrize(("days", "left"), [("30", 30), ("90", 90), ("365", 365), ("", None)])
def test_token_is_valid_for_the_requested_time(days: str, left: int | None) -> None:
    ann = account("Ann")
    _, token = make(as_user(ann), days=days)
    stored = Token.objects.get()
    if left is None:
        assert stored.expires_at is None
        return
    assert stored.expires_at is not None
    assert abs(stored.expires_at - timezone.now() - timedelta(days=left)) < timedelta(minutes=1)
    stored.expires_at = timezone.now() - timedelta(seconds=1)
    stored.save()
    assert tokens.holder(token) is None
    assert "expired" in as_user(ann).get("/you/").content.decode()


@pytest.mark.parametrize(
    "given", [{"name": "", "days": "30"}, {"name": "x" * 41}, {"name": "x", "days": "7"}]
)
def test_invalid_token_request_is_rejected_with_a_message(given: dict[str, str]) -> None:
    answer = as_user(account("Ann")).post("/you/tokens/", given)
    assert answer.status_code == 422
    assert b'class="problem"' in answer.content
    assert not Token.objects.exists()


def test_user_has_at_most_twenty_tokens() -> None:
    ann = account("Ann")
    for _ in range(tokens.MOST):
        tokens.make(ann, "x")
    answer, _ = make(as_user(ann))
    assert answer.status_code == 422
    assert "already have 20 tokens" in answer.content.decode()
    assert ann.tokens.count() == tokens.MOST


def test_every_token_has_a_distinctly_labelled_revoke_button() -> None:
    anna = account("Anna")
    for name in ("laptop", "phone"):
        tokens.make(anna, name)
    page = as_user(anna).get("/you/").content.decode()
    assert page.count(">Revoke</button>") == 2
    assert not same_names(page)


def test_revoked_token_is_invalid(somebody: User) -> None:
    client = as_user(somebody)
    _, token = make(client)
    client.post(f"/you/tokens/{Token.objects.get().pk}/revoke/")
    assert tokens.holder(token) is None
    assert "No tokens yet." in client.get("/you/").content.decode()


@pytest.mark.parametrize("number", [None, 0, 10**30])
def test_token_of_another_user_cannot_be_revoked(number: int | None) -> None:
    bob = account("Bob")
    token = tokens.make(bob, "x")
    pk = number if number is not None else Token.objects.get().pk
    client, _ = as_guest()
    assert client.post(f"/you/tokens/{pk}/revoke/").status_code == 302
    assert tokens.holder(token) == bob


def test_token_of_a_banned_user_is_invalid() -> None:
    ann = account("Ann")
    token = tokens.make(ann, "x")
    User.objects.update(is_active=False)
    assert tokens.holder(token) is None


def test_last_use_is_recorded_at_most_once_a_minute() -> None:
    token = tokens.make(account("Ann"), "x")
    tokens.holder(token)
    first = Token.objects.get().last_used_at
    assert first is not None
    tokens.holder(token)
    assert Token.objects.get().last_used_at == first
    long_ago = timezone.now() - timedelta(minutes=2)
    Token.objects.update(last_used_at=long_ago)
    tokens.holder(token)
    assert Token.objects.get().last_used_at != long_ago


def test_token_issued_at_a_table_is_listed() -> None:
    joined = rooms.open_room(None, "mia", "Ann").result()
    guest = User.objects.get(pk=joined.user_id)
    assert "Given at a table" in as_user(guest).get("/you/").content.decode()


def test_new_name_applies_only_to_future_tables(somebody: User) -> None:
    room = open_table(somebody)
    client = as_user(somebody)
    page = client.post("/you/name/", {"name": " Anna "}, follow=True).content.decode()
    assert "name is now Anna" in page
    somebody.refresh_from_db()
    assert str(somebody) == "Anna"
    assert room.members.get().name == "Ann"


def test_display_name_can_be_reset_to_the_username() -> None:
    ann = account("Ann")
    client = as_user(ann)
    client.post("/you/name/", {"name": "Queen"})
    client.post("/you/name/", {"name": "Ann"})
    ann.refresh_from_db()
    assert str(ann) == "Ann"
