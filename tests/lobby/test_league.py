"""Leaderboards and the ratings of a user: who is listed, in which order, and what is said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.history import erasure
from games.models import Rating
from tests.kit.costs import statements
from tests.kit.factories import AccountFactory
from tests.kit.moderators import decide
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

MOST_STATEMENTS = 2


def rated(
    user: User, mu: float = 25.0, sigma: float = 1.0, matches: int = 60, days: int = 0, **more: Any
) -> Rating:
    return Rating.objects.create(
        user=user,
        **{"game": "mia", "pool": "people", **more},
        mu=mu,
        sigma=sigma,
        matches=matches,
        last_at=timezone.now() - timedelta(days=days),
    )


def listed(slug: str = "mia") -> list[str]:
    return [one["name"] for one in Client().get(f"/league/{slug}.json").json()["players"]]


def test_players_are_ordered_by_the_strength_they_almost_certainly_have() -> None:
    rated(AccountFactory(name="Uncertain"), mu=30, sigma=4)
    rated(AccountFactory(name="Certain"), mu=26, sigma=1)
    rated(AccountFactory(name="Weak"), mu=20, sigma=1)
    assert listed() == ["Certain", "Uncertain", "Weak"]
    (first, *_rest) = Client().get("/league/mia.json").json()["players"]
    assert (first["place"], first["rating"], first["deviation"]) == (1, 1560, 60)


def test_new_inactive_and_other_players_are_not_listed() -> None:
    rated(AccountFactory(name="Few"), matches=19)
    rated(AccountFactory(name="Enough"), matches=20)
    rated(AccountFactory(name="Long ago"), days=61)
    rated(AccountFactory(name="Lately"), days=59)
    rated(AccountFactory(name="Program"), pool="programs")
    assert sorted(listed()) == ["Enough", "Lately"]


def test_games_with_sides_require_more_matches() -> None:
    rated(AccountFactory(name="Few"), matches=59, game="secret_hitler")
    rated(AccountFactory(name="Enough"), matches=60, game="secret_hitler")
    assert listed("secret_hitler") == ["Enough"]


def test_banned_and_erased_users_are_not_listed() -> None:
    banned, erased = AccountFactory(name="Banned"), AccountFactory(name="Erased")
    rated(banned), rated(erased), rated(AccountFactory(name="Ann"))
    decide("lock", person=banned.pk)
    erasure.erase(erased.pk)
    assert listed() == ["Ann"]
    assert not Rating.objects.filter(user=erased.pk).exists()


def test_empty_leaderboard_says_when_players_appear() -> None:
    assert "after 20 rated matches" in Client().get("/league/mia/").content.decode()
    assert Client().get("/league/nothing/").status_code == 404
    assert Client().get("/league/nothing.json").status_code == 404


def test_user_below_the_limit_sees_how_many_matches_are_left() -> None:
    ann = AccountFactory(name="Ann")
    rated(ann, matches=3)
    assert "17 rated matches to go" in as_user(ann).get("/league/mia/").content.decode()
    assert "17 rated" not in Client().get("/league/mia/").content.decode()


def test_rating_gets_less_certain_without_matches() -> None:
    ann = AccountFactory(username="ann")
    rated(ann, sigma=1.0, days=300)
    page = Client().get("/people/ann/").content.decode()
    assert "<strong>1500</strong> ± 76" in page


def test_profile_without_ratings_says_so() -> None:
    AccountFactory(username="ann")
    assert "No rated matches yet." in Client().get("/people/ann/").content.decode()


def test_leaderboard_has_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        rated(AccountFactory(), mu=20 + number / 10)
    with statements(monkeypatch) as said:
        Client().get("/league/mia/")
    assert 0 < len(said) <= MOST_STATEMENTS


@pytest.mark.parametrize("mode", ["off", "club"])
def test_leaderboards_are_linked_only_if_matches_can_be_rated(settings: Any, mode: str) -> None:
    settings.RATED = mode
    ann = AccountFactory()
    rated(ann)
    for address in ("/", "/rules/mia/", "/you/", "/people/", f"/people/{ann.username}/"):
        page = as_user(ann).get(address).content.decode()
        assert ("/league/" in page) == (mode == "club"), address
