"""Polls for everybody who is connected cost a statement, however many people there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts import logins, tokens
from accounts.logins import Login
from games.models import Member
from games.rooms import presence
from games.sockets import hub
from games.sockets.api_clients import open_invitations
from tests.kit.factories import AccountFactory

pytestmark = pytest.mark.django_db

POLLS: dict[str, Callable[[range], Any]] = {
    "rooms": lambda ids: hub._behind(dict.fromkeys(ids, (0, None))),
    "logins": lambda ids: logins.still_valid([Login(f"{one}", one, "") for one in ids]),
    "tokens": lambda ids: tokens.still_valid(map(str, ids)),
    "invitations": lambda ids: open_invitations(ids, timezone.now()),
    "presence": lambda ids: inspect.unwrap(presence.seen)(ids),
}


def statements(poll: Callable[[range], Any], ids: range) -> list[str]:
    """Return the SQL of a poll, without the values."""
    found = list[str]()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        poll(ids)
    return [sql for sql in found if "SAVEPOINT" not in sql]


@pytest.mark.parametrize("poll", POLLS)
def test_statements_do_not_grow(poll: str) -> None:
    """The statements for 40,000 people are the same as for one."""
    assert statements(POLLS[poll], range(1, 2)) == statements(POLLS[poll], range(1, 40_001)) != []


def test_finds_what_in_finds() -> None:
    """Numbers, texts and foreign keys are found, and no values find nothing."""
    ann, bob = AccountFactory.create(username="Ann"), AccountFactory.create(username="it's %s Bob")
    people = type(ann).objects

    assert list(people.filter(pk__among={ann.pk, -1})) == [ann]
    assert list(people.filter(username__among=[bob.username, "Eve"])) == [bob]
    assert not people.filter(pk__among=()).exists()
    assert not Member.objects.filter(user__pk__among=[ann.pk], room__pk__among={1}).exists()
