"""Who may chat with whom (docs/rules/conventions.md C9), and how often."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User, WordFilter
from chat.models import Message
from games import rooms
from games.contract.core import Refused
from games.models import Room
from games.tables.loading import load
from games.tables.sentences import refusal
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets, sync_data
from tests.kit.talking import without_limit

pytestmark = pytest.mark.django_db(transaction=True)


def say(room: Room, user: User, text: str) -> str:
    """Send a message. Return its recipients."""
    rooms.say(room.pk, user.pk, text).result()
    return Message.objects.latest("pk").audience


def read(room: Room, user: User) -> list[str]:
    data = sync_data(load(room.pk), user.pk)
    return [message["message"] for message in data["chat"]]


def test_everybody_reads_everything_in_an_open_room() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve)
    rooms.set_spectating(room.pk, eve.pk, True).result()
    assert say(room, ann, "hello") == "table"
    assert say(room, eve, "I only watch") == "table"
    assert read(room, bob) == ["hello", "I only watch"]


def test_gallery_reads_both_channels_and_the_table_only_its_own() -> None:
    ann, bob, eve, kim = (PersonFactory() for _ in range(4))
    room = open_table(ann, bob, eve)
    match = start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    assert say(room, ann, "to the table") == "table"
    assert say(room, kim, "she is bluffing") == "gallery"
    assert read(room, bob) == ["to the table"]
    assert read(room, kim) == ["to the table", "she is bluffing"]
    rooms.leave(room.pk, eve.pk).result()
    rooms.join(room.code, eve.pk, str(eve)).result()
    assert match.players.get(user=eve).out is True
    assert say(room, eve, "I saw it too") == "gallery"
    assert read(room, eve) == ["to the table", "she is bluffing", "I saw it too"]


def test_surviving_player_never_reads_gallery_messages_of_the_match() -> None:
    ann, bob, kim = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob, lives=1)
    match = start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    say(room, kim, "a secret of the gallery")
    loser = on_turn(match)
    act(match, loser, "Roll")
    act(match, loser, "Announce", dice="2,1")
    winner = next(p for p in match.players.all() if not p.out)
    beaten = next(p for p in match.players.all() if p.out)
    assert read(room, winner.user) == []
    assert read(room, beaten.user) == ["a secret of the gallery"]
    assert say(room, kim, "well played") == "table"
    assert read(room, winner.user) == ["well played"]
    start_match(room)
    assert read(room, winner.user) == ["well played"]


def test_message_is_sent_once_and_only_to_its_audience() -> None:
    ann, bob, kim = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob)
    start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    before = load(room.pk)
    say(room, kim, "psst")
    now = load(room.pk, before)
    heard = {
        user.pk: [p for p in packets(before, now, user.pk) if p["type"] == "NewChatMessageSent"]
        for user in (ann, bob, kim)
    }
    assert [len(heard[user.pk]) for user in (ann, bob, kim)] == [0, 0, 1]
    assert heard[kim.pk][0]["audience"] == "gallery"
    assert not packets(now, load(room.pk, now), kim.pk)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("  hi  ", "hi"),
        ("a\nb\tc", "a b c"),
        ("<b>&'\"", "<b>&'\""),
        ("a\u202eb", "ab"),
        ("a\x00b", "ab"),
        ("x" * 500, "x" * 500),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
    ],
)
def test_message_text_is_cleaned(written: str, said: str) -> None:
    ann = PersonFactory()
    room = open_table(ann)
    say(room, ann, written)
    assert read(room, ann) == [said]


@pytest.mark.parametrize("written", ["", " \n ", "\u202e\u200f", "\x00", "x" * 501])
def test_invalid_message_is_refused(written: str) -> None:
    ann = PersonFactory()
    room = open_table(ann)
    with pytest.raises(Refused, match="bad_message"):
        say(room, ann, written)
    assert not Message.objects.exists()


def test_messages_are_limited_to_five_in_ten_seconds_per_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr("accounts.limits.time.time", lambda: now)
    ann, bob = PersonFactory(), PersonFactory()
    room, other = open_table(ann, bob), open_table(ann)
    for _ in range(3):
        say(room, ann, "again")
    for _ in range(2):
        with pytest.raises(Refused, match="bad_message"):
            say(room, ann, "")
    for here in (room, other):
        with pytest.raises(Refused, match="busy"):
            say(here, ann, "again")
    say(room, bob, "I may")
    now += 10
    say(room, ann, "now I may")


def test_last_fifty_messages_are_kept_despite_a_talkative_gallery() -> None:
    ann, bob, kim = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    with without_limit():
        for number in range(60):
            say(room, ann, f"table {number}")
    for _ in range(2):
        Message.objects.bulk_create(
            Message(
                thread=rooms.thread(room.pk),
                chapter=match.pk,
                audience="gallery",
                author=kim,
                name=str(kim),
                text="chatter",
            )
            for _ in range(100)
        )
    assert read(room, bob) == [f"table {number}" for number in range(10, 60)]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("x" * 501, "it has more than 500 characters"),
        ("\u2800", "it has no visible characters"),
        ("you turnip", "it contains a blocked word"),
    ],
)
def test_refusal_of_a_message_gives_the_reason(written: str, why: str) -> None:
    WordFilter.objects.create(words="turnip")
    ann = PersonFactory()
    with pytest.raises(Refused) as refused:
        say(open_table(ann), ann, written)
    assert refusal(refused.value) == f"This message can't be sent: {why}."


def test_loaded_table_is_rendered_without_queries(django_assert_num_queries: Any) -> None:
    """The table is rendered in an event loop, in which no query may run."""
    ann, bob, kim = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob)
    start_match(room)
    rooms.join(room.code, kim.pk, str(kim)).result()
    before = load(room.pk)
    say(room, kim, "she is bluffing")
    now = load(room.pk, before)
    with django_assert_num_queries(0):
        for person in (ann, bob, kim):
            packets(before, now, person.pk)
            sync_data(now, person.pk)
