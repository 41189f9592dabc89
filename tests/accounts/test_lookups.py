"""Polls for everybody who is connected cost a statement, however many people there are."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F
from django.utils import timezone

from accounts import logins, tokens
from accounts.logins import Login
from games.models import Member, Room
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


def test_unchanged_rooms_and_logins_are_only_counted() -> None:
    """As long as nothing has changed, the polls of rooms and logins read no row of each of them."""
    rooms = [Room.objects.create(code=code, game="mia") for code in ("AAAAAA", "BBBBBB")]
    known = {room.pk: (room.version, None) for room in rooms}
    people = [AccountFactory.create(password=f"of {at}") for at in range(2)]
    held = [Login(f"{one.pk}", one.pk, one.password) for one in people]
    in_an_hour = timezone.now() + timedelta(hours=1)
    Session.objects.bulk_create(Session(pk=one.session, expire_date=in_an_hour) for one in held)
    polls: dict[str, Callable[[range], Any]] = {
        "rooms": lambda _: hub._behind(known),
        "logins": lambda _: logins.still_valid(held),
    }

    for name, poll in polls.items():
        assert all(re.match(r"SELECT (COUNT|SUM)\(", sql) for sql in statements(poll, range(1))), (
            name
        )
    assert hub._behind(known) == {}
    assert logins.still_valid(held) == set(held)

    Room.objects.filter(pk=rooms[0].pk).update(version=F("version") + 1)
    changed = {rooms[0].pk: (rooms[0].version + 1, None)}
    assert hub._behind(known) == changed

    rooms[1].delete()  # its version must not make up for the change of the other one
    known[rooms[1].pk] = (1, None)
    assert hub._behind(known) == changed


@pytest.mark.parametrize("ended", ["logged out", "another's password", "deactivated", "both"])
def test_ended_login_is_found_among_valid_ones(ended: str) -> None:
    """Nobody's login counts for somebody else, or with an earlier password."""
    ann, bob = (AccountFactory.create(password=f"of {at}") for at in range(2))
    held = [Login(f"{one.pk}", one.pk, one.password) for one in (ann, bob)]
    in_an_hour = timezone.now() + timedelta(hours=1)
    Session.objects.bulk_create(Session(pk=one.session, expire_date=in_an_hour) for one in held)
    if ended == "logged out":
        Session.objects.filter(pk=held[0].session).delete()
    elif ended == "deactivated":
        type(ann).objects.filter(pk=ann.pk).update(is_active=False)
    elif ended == "another's password":
        type(ann).objects.filter(pk=ann.pk).update(password=bob.password)
    else:
        held[0] = held[0]._replace(session=held[1].session, user_id=bob.pk)

    assert logins.still_valid(held) == {held[1]}


def test_finds_what_in_finds() -> None:
    """Numbers, texts and foreign keys are found, and no values find nothing."""
    ann, bob = AccountFactory.create(username="Ann"), AccountFactory.create(username="it's %s Bob")
    people = type(ann).objects

    assert list(people.filter(pk__among={ann.pk, -1})) == [ann]
    assert list(people.filter(username__among=[bob.username, "Eve"])) == [bob]
    assert not people.filter(pk__among=()).exists()
    assert not Member.objects.filter(user__pk__among=[ann.pk], room__pk__among={1}).exists()
