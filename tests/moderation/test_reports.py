"""Reports: who may report what, the stored evidence, and the limit of ten an hour."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import rooms
from games.contract.core import Ignored, Refused
from games.history import account_merge
from games.models import Deck
from games.sockets.command_forms import read_command
from games.sockets.dispatch import carry_out
from games.wire.wire import BadPacket
from moderation import reports
from moderation.models import Report
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account, as_user
from tests.kit.reports import PACK, report, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_reported_message_is_stored_with_its_context() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    said = [says(room, bob, str(number)) for number in range(14)]
    report(room, ann, "message", said[7].pk, note=" look \n here ")
    made = Report.objects.get()
    assert [line["text"] for line in made.context] == [str(number) for number in range(2, 13)]
    assert [line["text"] for line in made.context if line["reported"]] == ["7"]
    assert (made.by, made.about, made.message, made.room) == (ann, bob, said[7], room)
    assert (made.kind, made.reason, made.note, made.what) == ("message", "insult", "look here", "7")


@pytest.mark.parametrize("kind", ["name", "behaviour"])
def test_reported_person_is_stored_with_recent_messages(kind: str) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    says(room, ann, "hello")
    says(room, bob, "boo")
    report(room, ann, kind, str(bob))
    made = Report.objects.get()
    assert (made.kind, made.about, made.match, made.what) == (kind, bob, match, str(bob))
    assert [(line["text"], line["reported"]) for line in made.context] == [
        ("hello", False),
        ("boo", True),
    ]


def test_former_member_can_still_be_reported() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    said = says(room, bob, "bye, turnips")
    rooms.leave(room.pk, bob.pk).result()
    report(room, ann, "message", said.pk)
    report(room, ann, "behaviour", str(bob))
    assert Report.objects.count() == 2


def test_duplicate_of_an_open_report_is_ignored() -> None:
    ann, bob, eve = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob, eve)
    said = says(room, bob, "boo")
    for person in (ann, ann, eve):
        report(room, person, "message", said.pk)
    assert Report.objects.count() == 2


def test_reports_are_limited_to_ten_an_hour() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    said = [says(room, bob, str(number)) for number in range(11)]
    for one in said[:10]:
        report(room, ann, "message", one.pk)
    with pytest.raises(Refused, match="too_many_reports"):
        report(room, ann, "message", said[10].pk)
    Report.objects.update(at=timezone.now() - timedelta(minutes=61))
    report(room, ann, "message", said[10].pk)


def test_unreadable_messages_cannot_be_reported() -> None:
    ann, bob, kim, eve = (PersonFactory() for _ in range(4))
    room = open_table(ann, bob)
    start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    secret = says(room, kim, "she is bluffing")
    elsewhere = says(open_table(bob), bob, "elsewhere")
    for person, number in ((ann, secret.pk), (ann, elsewhere.pk), (eve, secret.pk), (ann, 10**12)):
        with pytest.raises(Ignored):
            report(room, person, "message", number)
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"what": "name", "which": "Nobody", "reason": "insult"},
        {"what": "name", "which": ["Bob"], "reason": "insult"},
        {"what": "name", "which": "Bob", "reason": "because"},
        {"what": "name", "which": "Bob"},
        {"what": "name", "which": "Ann", "reason": "insult"},
        {"what": "deck", "which": "Bob", "reason": "insult"},
        {"what": "message", "which": "-1", "reason": "insult"},
        {"what": "message", "which": {"a": 1}, "reason": "insult"},
        {"what": 7, "which": "Bob", "reason": "insult"},
    ],
)
def test_invalid_form_creates_no_report(body: dict[str, Any]) -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    with pytest.raises((Ignored, BadPacket)):
        asyncio.run(carry_out(room.pk, ann.pk, read_command({"do": "Report", **body}, room.game)))
    assert not Report.objects.exists()


def test_deck_can_be_reported_by_anybody_but_its_owner() -> None:
    bob, ann = account("Bob"), PersonFactory()
    Deck.objects.create(owner=bob, slug="bobs", name="Bob's", language="en", pack=PACK, public=True)
    hidden = Deck.objects.create(owner=bob, slug="own", name="Own", language="en", pack=PACK)
    assert "Report this deck" in as_user(ann).get("/decks/bobs/").content.decode()
    assert "Report this deck" not in as_user(bob).get("/decks/bobs/").content.decode()
    given = {"reason": "hate", "note": "card 3"}
    page = as_user(ann).post("/decks/bobs/report/", given, follow=True).content.decode()
    assert "A moderator will look at it." in page
    made = Report.objects.get()
    assert (made.kind, made.about, made.what, made.note) == ("deck", bob, "Bob's", "card 3")
    for person, slug in ((bob, "bobs"), (ann, hidden.slug), (ann, "own"), (ann, "nothing")):
        assert as_user(person).post(f"/decks/{slug}/report/", given).status_code == 404
    assert as_user(ann).post("/decks/bobs/report/", {}).status_code == 404


def test_reports_follow_a_merged_guest() -> None:
    bob, guest, ann = account("Bob"), PersonFactory(), PersonFactory()
    room = open_table(ann, guest)
    said = says(room, guest, "boo")
    report(room, ann, "message", said.pk)
    report(room, guest, "name", str(ann))
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert {(r.by, r.about) for r in Report.objects.all()} == {(ann, bob), (bob, ann)}


def test_control_characters_are_removed_from_notes() -> None:
    ann, bob = PersonFactory(), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    note = "see \u202ehere\u202c\n a" + "\u0323" * 20
    reports.from_table(room.pk, ann.pk, "name", "Bob", "spam", note).result()
    kept = Report.objects.get().note
    assert kept.startswith("see here")
    assert kept.count("\u0323") <= 4
