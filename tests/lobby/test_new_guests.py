"""Anonymous visitors become guests when they join or open a table."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.contract.core import Refused
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


class Fails:
    def __init__(self, code: str) -> None:
        self.code = code

    def __call__(self, *args: object, **kwargs: object) -> Fails:
        return self

    def result(self) -> None:
        raise Refused(self.code)


def test_a_guest_whose_join_may_still_succeed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    room, client = open_table(PersonFactory(name="Ann")), Client()
    monkeypatch.setattr(rooms, "join", Fails("busy"))
    answer = client.post(f"/t/{room.code}/", {"name": "Bob"})
    assert "The server is busy" in answer.text
    bob = User.objects.get(name="Bob")
    assert client.session["_auth_user_id"] == str(bob.pk)


def test_a_rejected_visitor_leaves_no_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    room, client = open_table(PersonFactory(name="Ann")), Client()
    monkeypatch.setattr(rooms, "join", Fails("closed"))
    client.post(f"/t/{room.code}/", {"name": "Bob"})
    assert not User.objects.filter(name="Bob").exists()
    assert "_auth_user_id" not in client.session
