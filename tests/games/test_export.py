"""Exports of personal data are generated in portions, no matter how long they are."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.test import AsyncClient

from accounts.models import User
from chat.models import Message
from games.contract.luck import Luck
from games.history import export_matches
from games.models import Act, Match, Member, Player, Room
from tests.kit.corpus import play_on
from tests.kit.costs import statements
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_guest
from tests.kit.stored import exported

pytestmark = pytest.mark.django_db(transaction=True)


def played(guest: User) -> Match:
    """A match the guest has played to the end."""
    match = start_match(open_table(guest, PersonFactory(name="Eve")))
    play_on(match.pk, Luck(b"export", 0))
    return Match.objects.get(pk=match.pk)


def repeat(match: Match, guest: User, times: int) -> None:
    """Add similar tables, matches and messages."""
    acts, seats = list(match.acts.all()), list(match.players.all())
    for _ in range(times):
        room = Room.objects.create(game=match.game, code=f"X{Room.objects.count():04}")
        Member.objects.create(room=room, user=guest, name=guest.name, key=guest.name.lower())
        Message.objects.create(thread=f"room:{room.pk}", author=guest, name="Ann", text="hello")
        match.pk, match.room, match._state.adding = None, room, True
        match.save()
        for kind, rows in ((Player, seats), (Act, acts)):
            for row in rows:
                row.pk, row.match, row._state.adding = None, match, True
            kind.objects.bulk_create(rows)


def test_number_of_queries_depends_only_on_the_number_of_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guest = PersonFactory(name="Ann")
    match = played(guest)
    repeat(match, guest, 1)
    with statements(monkeypatch) as few:
        exported(guest)
    repeat(match, guest, 29)
    with statements(monkeypatch) as many:
        whole = exported(guest)
    assert len(whole["matches"]) == len(whole["tables"]) == 31
    assert len(many) == len(few)
    assert not [sql for sql in many if "games_match.state" in sql]


def test_batches_have_a_bounded_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = PersonFactory(name="Ann")
    match = played(guest)
    length = match.version
    repeat(match, guest, 9)
    whole = exported(guest)
    monkeypatch.setattr(export_matches, "MOST_ACTS", 2 * length)
    assert [len(portion) for portion in export_matches.matches(guest)] == [2] * 5
    monkeypatch.setattr(export_matches, "MOST_MATCHES", 1)
    monkeypatch.setattr(export_matches, "MOST_ACTS", 1)
    assert [len(portion) for portion in export_matches.matches(guest)] == [1] * 10
    assert exported(guest) == whole


async def test_each_batch_is_generated_when_it_is_sent() -> None:
    """No lock is held while a slow browser reads, so later portions include newer changes."""
    client, guest = await sync_to_async(as_guest)("Ann")
    browser = AsyncClient()
    browser.cookies = client.cookies
    pieces = aiter(cast(StreamingHttpResponse, await browser.get("/you/data/")))
    before = await anext(pieces)
    assert b"matches" not in before
    match = await sync_to_async(played)(guest)
    rest = b"".join([piece async for piece in pieces])
    (told,) = json.loads(before + rest)["matches"]
    assert told["match"] == match.pk


@pytest.mark.parametrize(
    "broken",
    [
        {"game": "bridge"},
        {"game_version": 99},
        {"told": [{"event": {"type": "Unknown"}, "to": None}]},
    ],
)
def test_unreadable_match_does_not_prevent_the_export(
    broken: dict[str, Any],
) -> None:
    _client, guest = as_guest("Ann")
    match = played(guest)
    (whole,) = exported(guest)["matches"]
    of = Act.objects.filter(match=match) if "told" in broken else Match.objects.filter(pk=match.pk)
    of.update(**broken)
    (known,) = exported(guest)["matches"]
    assert whole.pop("told")
    assert known == whole | ({"game": broken["game"]} if "game" in broken else {})


def test_export_is_indented_json_even_without_rows() -> None:
    client, guest = as_guest("Ann")
    text = download(client).content.decode()
    assert json.loads(text)["matches"] == []
    assert json.loads(text) == exported(guest)
    assert max(map(len, text.splitlines())) < 100
