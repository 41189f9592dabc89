"""Lists of the back office read only the columns they show, however large the others are."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from chat.models import Message
from games.models import Announcement, Deck, Match, UdpRound
from games.registry import GAMES
from moderation.admin import MatchAdmin
from moderation.admin_site import OnlyFilters, large
from moderation.models import Report
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import superuser
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"StaffAct", "Deck", "UdpRound"}
"""Models with few rows."""
LISTS = [model for model, of in admin.site._registry.items() if isinstance(of, OnlyFilters)]


def rows(many: int) -> None:
    """Create rows of the models with large columns."""
    for at in range(many):
        ann = PersonFactory()
        match = start_match(open_table(ann, PersonFactory()))
        Deck.objects.create(owner=ann, slug=f"d{ann.pk}", name="Geese", language="en", pack="{}")
        Message.objects.create(thread=f"room:{match.room_id}", name="Ann", text="hello")
        Announcement.objects.create(room=match.room, code="looked", text="why")
        Report.objects.create(kind="name", what="Ann", about=ann, match=match, reason="other")
        UdpRound.objects.create(
            number=ann.pk, order=["a"], losers=[], reason="", transcript=[], at=timezone.now()
        )
        assert at < many


def queries(client: Client, model: type[Model]) -> list[str]:
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    with CaptureQueriesContext(connection) as found:
        answer = client.get(page)
    assert answer.status_code == 200
    return [query["sql"] for query in found]


def read(sql: str, models: list[type[Model]]) -> Iterator[str]:
    """Return the large columns that a query reads."""
    columns = sql.partition(" FROM ")[0]
    for model in models:
        for name in large(model):
            if re.search(rf'"{model._meta.db_table}"\."{name}"(?! ?[#=-])', columns):
                yield f"{model._meta.db_table}.{name}"


def test_list_reads_only_the_columns_it_shows() -> None:
    client = as_user(superuser())
    rows(1)
    for model in LISTS:
        queries(client, model)  # warms up caches
    few = {model: len(queries(client, model)) for model in LISTS}
    rows(3)
    for model, of in admin.site._registry.items():
        if not isinstance(of, OnlyFilters):
            continue
        many = queries(client, model)
        assert len(many) == few[model], (model, "a query for each row")
        shown = {f"{model._meta.db_table}.{name}" for name in (*of.list_display, *of.list_reads)}
        there = [Match, Deck, UdpRound, Report, model]
        assert {column for sql in many for column in read(sql, there)} <= shown, model


def test_list_does_not_read_all_rows_to_offer_filters() -> None:
    client = as_user(superuser())
    rows(1)
    found = {
        model.__name__
        for model in LISTS
        for sql in queries(client, model)
        if sql.startswith("SELECT DISTINCT")
    }
    assert found <= SMALL


def test_filter_by_game_selects_its_rows() -> None:
    client = as_user(superuser())
    rows(1)
    game = Match.objects.get().game
    page = reverse("admin:games_match_changelist")
    for chosen, count in ((game, 1), ("no-such-game", 0)):
        answer = client.get(page, {"game": chosen})
        assert len(answer.context["cl"].result_list) == count
    assert GAMES[game].name in client.get(page).content.decode()


def test_later_page_finds_its_keys_before_its_rows() -> None:
    client = as_user(superuser())
    number = MatchAdmin.list_per_page
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    Match.objects.bulk_create(copies_of(match, number))
    with CaptureQueriesContext(connection) as found:
        answer = client.get(reverse("admin:games_match_changelist"), {"p": "2"})
    assert [row.pk for row in answer.context["cl"].result_list] == [match.pk]
    (skips,) = [query["sql"] for query in found if "OFFSET" in query["sql"]]
    assert skips.startswith('SELECT "games_match"."id" ')
    assert "JOIN" not in skips


def test_search_finds_a_row_once() -> None:
    client = as_user(superuser())
    match = start_match(open_table(PersonFactory(name="Same"), PersonFactory(name="Same 2")))
    with CaptureQueriesContext(connection) as found:
        answer = client.get(reverse("admin:games_match_changelist"), {"q": "same"})
    assert [row.pk for row in answer.context["cl"].result_list] == [match.pk]
    assert not [query for query in found if "SELECT DISTINCT" in query["sql"]]


def copies_of(match: Match, count: int) -> Iterator[Match]:
    """Yield unsaved copies of a match, with later ids."""
    for at in range(1, count + 1):
        copy = Match.objects.get(pk=match.pk)
        copy.pk, copy.no = match.pk + at, None
        yield copy


def test_columns_omitted_from_a_list_are_on_the_row_page() -> None:
    rows(1)
    match = Match.objects.get()
    page = as_user(superuser()).get(reverse("admin:games_match_change", args=[match.pk]))
    assert page.status_code == 200
    assert "as usual" in page.content.decode(), "the rules"
    assert "Order: " in page.content.decode(), "the log"
