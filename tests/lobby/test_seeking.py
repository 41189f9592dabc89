"""Quick match by forms alone: one tap, a page that survives reloads, and a way out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Room, Seek
from games.rooms import seeking
from tests.kit.factories import AccountFactory, PersonFactory
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = "/waiting/"


def let_pass(seconds: float) -> None:
    ago = timedelta(seconds=seconds)
    Seek.objects.update(since=F("since") - ago, until=F("until") - ago)


def tap(client: Client, game: str = "mia", **fields: str) -> Any:
    return client.post("/seek/", {"game": game, **fields})


def page(client: Client) -> str:
    return client.get(WAITING).content.decode()


def test_two_taps_lead_to_one_table() -> None:
    ann, bob = Client(), Client()
    assert tap(ann, name="Ann").headers["Location"] == WAITING
    assert "Nobody else is looking for this game right now." in page(ann)
    tap(bob, name="Bob")
    assert "Bob" in page(ann)
    assert "Enough players are here." in page(ann)
    let_pass(8)
    seeking.advance().result()
    code = Room.objects.get().code
    for client in (ann, bob):
        assert client.get(WAITING).headers["Location"] == f"/t/{code}/"
        assert client.get(f"/t/{code}/").status_code == 200


def test_loading_the_page_renews_the_wait() -> None:
    ann = Client()
    tap(ann, name="Ann")
    let_pass(30)
    page(ann)
    let_pass(30)
    assert "Nobody else" in page(ann)


def test_second_tap_keeps_the_place() -> None:
    ann = Client()
    tap(ann, name="Ann")
    since = Seek.objects.get().since
    assert tap(ann).headers["Location"] == WAITING
    assert Seek.objects.get().since == since


def test_accounts_choose_between_a_rated_match_and_one_for_fun(settings: Any) -> None:
    user = AccountFactory(date_joined=timezone.now() - timedelta(days=2))
    ann = as_user(user)
    assert 'name="rated"' in ann.get("/").content.decode()
    tap(ann, rated="yes")
    assert Seek.objects.get().rated
    assert "Rated: the match counts for your rating." in page(ann)
    ann.post("/seek/?rated=no", {"game": "mia"})
    assert not Seek.objects.get().rated
    assert "Just for fun" in page(ann)
    settings.RATED = "off"
    assert 'name="rated"' not in ann.get("/").content.decode()
    assert "Just for fun" not in page(ann)


def test_guests_are_offered_no_rated_match() -> None:
    ann = Client()
    assert 'name="rated"' not in ann.get("/").content.decode()
    tap(ann, name="Ann")
    assert "rated" not in page(ann)
    answer = tap(ann, rated="yes")
    assert answer.status_code == 422
    assert "This cannot be rated." in answer.content.decode()


def test_search_is_stopped() -> None:
    ann = Client()
    tap(ann, name="Ann")
    ann.post("/waiting/stop/", {"game": "mia"})
    assert not Seek.objects.exists()
    assert ann.get(WAITING).headers["Location"] == "/"


def test_friends_are_invited_instead() -> None:
    ann = Client()
    tap(ann, name="Ann")
    ann.post("/invite/", {"game": "mia"})
    assert not Seek.objects.exists()
    assert Room.objects.exists()


def test_bots_are_played_with_in_the_meantime() -> None:
    ann = Client()
    tap(ann, name="Ann")
    assert "Play with bots while you wait" in page(ann)
    there = ann.post("/play/", {"game": "mia"}).headers["Location"]
    assert Match.objects.exists()
    assert Seek.objects.exists()
    assert "Looking for players: Mia" in ann.get(there).content.decode()


def test_bots_fill_the_table_after_half_a_minute() -> None:
    ann, bob = Client(), Client()
    tap(ann, "secret_hitler", name="Ann")
    tap(bob, "secret_hitler", name="Bob")
    assert "Start with bots" not in page(ann)
    refused = ann.post("/waiting/bots/", {"game": "secret_hitler"}, follow=True)
    assert "2 of 5 players are here." in refused.content.decode()
    let_pass(30)
    for client in (ann, bob):
        page(client)
    assert "Start with bots" in page(ann)
    there = ann.post("/waiting/bots/", {"game": "secret_hitler"}).headers["Location"]
    assert bob.get(WAITING).headers["Location"] == there


def test_missing_name_is_asked_for_and_the_rules_need_none() -> None:
    answer = tap(Client(), name="")
    assert answer.status_code == 422
    assert "Type your name first." in answer.content.decode()
    assert tap(Client()).headers["Location"] == WAITING
    assert User.objects.get().name.startswith("Guest ")


def test_too_many_requests_are_refused(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "seeks": (2, 60)}
    ann = as_user(PersonFactory())
    assert [tap(ann).status_code for _ in range(3)] == [302, 302, 429]


def test_unknown_game() -> None:
    assert tap(as_user(PersonFactory()), "chess").status_code == 422
