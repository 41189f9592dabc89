"""Queries compiled once return the same rows as Django's own, for any arguments."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import F
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from accounts.compiled_queries import MOST, CompiledQuery
from accounts.models import User
from accounts.sessions import SessionStore
from games.models import Member
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    made: list[User] = [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]
    return made


def test_numbers_texts_moments_and_collections_are_compared_as_django_does(
    people: list[User],
) -> None:
    ann, bob, cleo = people
    long_ago, later = timezone.now() - timedelta(days=1), timezone.now() + timedelta(days=1)
    numbered = CompiledQuery(lambda number: User.objects.filter(pk=number))
    named = CompiledQuery(lambda name: User.objects.filter(name=name).exclude(is_staff=True))
    since = CompiledQuery(lambda then: User.objects.filter(date_joined__gt=then).order_by("-pk"))
    among = CompiledQuery(
        lambda numbers, name: User.objects.filter(pk__in=numbers).exclude(name=name).order_by("pk")
    )
    for _ in range(2):  # first compiled, then reused
        assert [numbered(one.pk) for one in people] == [[ann], [bob], [cleo]]
        assert named("Bob") == [bob]
        assert named("bob") == named("' OR 1=1 --") == named("%s") == []
        assert since(long_ago) == [cleo, bob, ann]
        assert since(later) == []
        assert among([cleo.pk, ann.pk], "") == among({ann.pk, cleo.pk}, "Bob") == [ann, cleo]
        assert among([ann.pk, bob.pk, cleo.pk], "Ann") == [bob, cleo]
        assert among([], "Ann") == []
    assert numbered.first(bob.pk) == bob
    assert named.first("Dora") is None


def test_related_objects_columns_and_annotations_come_along(people: list[User]) -> None:
    room = open_table(*people, game="mia")
    seats = CompiledQuery(
        lambda user: (
            Member.objects.filter(user_id=user)
            .select_related("room__host")
            .annotate(code=F("room__code"))
        )
    )
    found: Any = seats.first(people[1].pk)
    with connection.execute_wrapper(_none):
        assert found.room == room
        assert found.room.host == people[0]
        assert found.code == room.code
        assert found.joined_at.tzinfo is not None
    columns = CompiledQuery(
        lambda user: Member.objects.filter(user_id=user).values_list("name", "spectator")
    )
    assert columns(people[1].pk) == [("Bob", False)]
    flat = CompiledQuery(
        lambda room: (
            Member.objects.filter(room_id=room).order_by("-pk").values_list("name", flat=True)[:2]
        )
    )
    assert flat(room.pk) == ["Cleo", "Bob"]


def test_the_sql_is_made_once_for_values_of_one_shape(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    as_sql = SQLCompiler.as_sql
    monkeypatch.setattr(
        SQLCompiler, "as_sql", lambda self, *args, **more: made.append(1) or as_sql(self)
    )
    among = CompiledQuery(lambda numbers: User.objects.filter(pk__in=numbers))
    for _ in range(3):
        for one in people:
            assert among([one.pk]) == [one]
    assert len(made) == 1
    assert len(among([one.pk for one in people])) == 3
    assert len(made) == 2


def test_of_many_numbers_no_plan_is_kept(people: list[User]) -> None:
    among = CompiledQuery(
        lambda numbers, name: User.objects.filter(pk__in=numbers, name=name).order_by("pk")
    )
    among([people[0].pk], "Ann")
    plans = vars(connections["default"])["compiled_queries"]
    kept = len(plans)
    for most in (MOST + 1, 2000):
        assert among([*range(10_000, 10_000 + most), *(one.pk for one in people)], "Bob") == [
            people[1]
        ]
    assert len(plans) == kept


def test_each_thread_asks_by_a_connection_of_its_own(people: list[User]) -> None:
    named = CompiledQuery(lambda name: User.objects.filter(name=name))

    def ask(one: User) -> bool:
        try:
            return all(named(one.name) == [one] for _ in range(50))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(people)) as threads:
        assert all(threads.map(ask, people))


def test_what_it_cannot_be_asked_for_is_said() -> None:
    named = CompiledQuery(lambda name: User.objects.filter(name=name))
    strange: Any
    for strange in (None, True, 1.5):
        with pytest.raises(TypeError, match=f"cannot be asked for {strange!r}"):
            named(strange)
    like = CompiledQuery(lambda name: User.objects.filter(name__contains=name))
    with pytest.raises(TypeError, match="not compared as it was given"):
        like("Ann")
    fetched = CompiledQuery(
        lambda name: User.objects.filter(name=name).prefetch_related("user_permissions")
    )
    with pytest.raises(TypeError, match="not fetched by another query"):
        fetched("Ann")


def test_a_session_is_found_until_it_expires_or_is_ended() -> None:
    session = SessionStore()
    session["who"] = "Ann"
    session.save()
    key = session.session_key
    assert SessionStore(key)["who"] == "Ann"
    session.set_expiry(-1)
    session.save()
    expired = SessionStore(key)
    assert expired.get("who") is None
    assert expired.session_key is None
    assert SessionStore("no such key").get("who") is None
    assert SessionStore(None).get("who") is None


def _none(*_: Any) -> Any:
    raise AssertionError("nothing more is read")
