"""Pages run few queries: no query twice, and none for details that do not exist."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.template.base import Node
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.memory import memory
from games.models import Room
from games.rooms import following
from games.tables import loading
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

IN_MEMORY, READ, FOR_THE_HOST = 12, 17, 19
"""Maximum SQL statements for a table's page.

In this order: the table is in memory, it is read from the database, it is shown to its host.
"""
FRONT, RULES = 11, 7
"""Maximum SQL statements for the front page with one table, and for a page of rules."""


@pytest.fixture
def people() -> list[Any]:
    return [PersonFactory() for _ in range(3)]


@pytest.fixture
def room(people: list[Any]) -> Room:
    made = open_table(*people, game="mia", pace="none")
    start_match(made)
    memory.evict(made.pk)
    return made


def test_table_page_stays_within_its_query_budget(room: Room, people: list[Any]) -> None:
    address = f"/t/{room.code}/"
    assert _statements(as_user(people[0]), address) <= FOR_THE_HOST
    assert _statements(as_user(people[1]), address) <= READ
    memory.put(loading.load(room.pk), memory.ticket())
    assert _statements(as_user(people[1]), address) <= IN_MEMORY


def test_pages_without_a_table_stay_within_their_query_budget(room: Room) -> None:
    other = as_user(PersonFactory())
    assert _statements(other, "/") <= FRONT
    assert _statements(other, "/rules/mia/") <= RULES


def test_rules_page_runs_one_query_for_strangers() -> None:
    assert _statements(Client(), "/rules/mia/") == 1


def test_rows_of_lists_are_not_django_nodes(
    room: Room, people: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = 0
    render = Node.render_annotated

    def counted(node: Node, context: Any) -> Any:
        nonlocal rendered
        rendered += 1
        return render(node, context)

    def nodes(client: Client, address: str) -> int:
        nonlocal rendered
        client.get(address)  # (the lesson is offered once)
        rendered = 0
        assert client.get(address).status_code == 200
        return rendered

    monkeypatch.setattr(Node, "render_annotated", counted)
    ann, *others = (PersonFactory(is_guest=False) for _ in range(5))
    following.follow(ann.pk, others[0].username).result()
    lists = [(Client(), "/"), (as_user(ann), "/people/")]
    before = [nodes(*one) for one in lists]
    for other in others:
        following.follow(ann.pk, other.username).result()
        open_table(other)
    assert [nodes(*one) for one in lists] == before


def _statements(client: Client, address: str) -> int:
    assert client.get(address).status_code == 200  # caches are filled
    with CaptureQueriesContext(connection) as found:
        client.get(address)
    return len(found)
