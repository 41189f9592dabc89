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
from moderation.admin_site import OnlyFilters, large
from moderation.models import Report
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import superuser
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

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


def test_columns_omitted_from_a_list_are_on_the_row_page() -> None:
    rows(1)
    match = Match.objects.get()
    page = as_user(superuser()).get(reverse("admin:games_match_change", args=[match.pk]))
    assert page.status_code == 200
    assert "pace" in page.content.decode()
    assert "Order: " in page.content.decode(), "the log"
