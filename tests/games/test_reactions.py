"""Reactions and one-tap phrases: who sees them, how often, and in which language."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from accounts.mutes_and_blocks import keep
from games import rooms
from games.contract.core import Refused
from games.engine.snapshots import load_snapshot
from games.models import Room
from games.pages import quick
from games.pages.page_diff import page_diff
from games.rooms import reacting
from games.rooms.reacting import react
from games.tables.loading import load
from tests.kit.acting import go_out
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    return [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]


def shows(room: Room, reader: User, act: Callable[[], object]) -> list[str]:
    """Return what this reader sees. It is the same on a page and in packets."""
    before = load(room.pk)
    act()
    now = load(room.pk, before)
    sent = [p for p in packets(before, now, reader.pk) if p["type"] == "Reacted"]
    html = "".join(page_diff(before, now, reader.pk, "en", {}))
    assert html.count("data-who=") == len(sent)
    return [f"{p['username']} {p['reaction']} {p['audience']}" for p in sent]


def test_reaction_is_shown_once_to_everybody_at_the_table(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people)
    assert shows(room, bob, lambda: react(room.pk, ann.pk, "laugh").result()) == ["Ann laugh table"]
    assert shows(room, bob, lambda: rooms.say(room.pk, ann.pk, "hello").result()) == []


def test_gallery_reactions_are_hidden_from_players(people: list[User]) -> None:
    dan = PersonFactory(name="Dan")
    room = open_table(*people, lives=1)
    rooms.join(room.code, dan.pk, "Dan", spectate=True).result()
    match = start_match(room)
    go_out(match, people[0])
    players = load_snapshot(match.pk).players
    out = next(p.user for p in players if p.out)
    inside = next(p.user for p in players if not p.out)
    assert out is not None
    assert inside is not None
    assert shows(room, inside, lambda: react(room.pk, out.pk, "angry").result()) == []
    assert shows(room, inside, lambda: react(room.pk, dan.pk, "angry").result()) == []
    before = load(room.pk)
    react(room.pk, out.pk, "heart").result()
    now = load(room.pk, before)
    assert "data-who=" not in "".join(page_diff(before, now, None, "en", {}))
    assert "data-who=" in "".join(page_diff(before, now, dan.pk, "en", {}))
    found = shows(room, dan, lambda: react(room.pk, out.pk, "cry").result())
    assert found == [f"{out.name} cry gallery"]
    found = shows(room, out, lambda: react(room.pk, inside.pk, "cool").result())
    assert found == [f"{inside.name} cool table"]


def test_reactions_of_muted_users_are_hidden(people: list[User]) -> None:
    ann, bob, cleo = people
    room = open_table(*people)
    keep(bob.pk, ann, "Ann", True, None)
    assert shows(room, bob, lambda: react(room.pk, ann.pk, "heart").result()) == []
    assert shows(room, cleo, lambda: react(room.pk, ann.pk, "heart").result()) != []


def test_reactions_are_limited_per_user(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people)
    for _ in range(reacting.MOST):
        react(room.pk, ann.pk, "clap").result()
    with pytest.raises(Refused, match="busy"):
        react(room.pk, ann.pk, "clap").result()
    react(room.pk, bob.pk, "clap").result()
    with moving_on() as pass_:
        pass_(reacting.KEPT + timedelta(seconds=1))
        found = shows(room, bob, lambda: react(room.pk, ann.pk, "gasp").result())
    assert found == ["Ann gasp table"]
    assert len(Room.objects.get(pk=room.pk).reactions) == 1  # kept only as long as shown


def test_reactions_are_refused_if_the_chat_is_off(people: list[User]) -> None:
    room = open_table(*people, chat="off")
    with pytest.raises(Refused, match="chat_closed"):
        react(room.pk, people[0].pk, "doubt").result()


def test_phrase_is_shown_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    said = quick.PHRASES[1].id
    monkeypatch.setattr(quick, "say", lambda text, language=None: f"{language}: {text.id}")
    assert quick.as_read(said, "de") == f"de: {said}"
    assert quick.as_read("my own words", "de") == "my own words"


def test_big_screen_shows_reactions_of_the_table(people: list[User]) -> None:
    room = open_table(*people)
    before = load(room.pk)
    react(room.pk, people[0].pk, "laugh").result()
    assert 'data-who="Ann"' in "".join(page_diff(before, load(room.pk, before), None, "en", {}))
