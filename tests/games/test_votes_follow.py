"""The votes needed depend on who is present, so a vote may pass when people leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from accounts.models import User
from games import rooms
from games.engine.time_source import source
from games.models import Match, Room
from games.rooms import votes
from games.rooms.cleanup import Cleanup
from games.rooms.votes import call_vote, cast_vote, end_votes
from games.tables.loading import load
from games.tables.table import Json
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.sent import packets, sync_data

pytestmark = pytest.mark.django_db(transaction=True)

Going = Callable[[Room, User], Any]


@pytest.fixture
def people() -> list[User]:
    return [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve")]


@pytest.fixture
def later() -> Iterator[Callable[[timedelta], None]]:
    with moving_on() as pass_:
        yield pass_
    source.adopt()


def call(room: Room, person: User, about: str, **more: Any) -> None:
    call_vote(room.pk, person.pk, about, **more).result()


def cast(room: Room, person: User, yes: bool = True) -> None:
    cast_vote(room.pk, person.pk, yes).result()


def now(room: Room) -> Room:
    return Room.objects.get(pk=room.pk)


def is_paused(room: Room) -> bool:
    return bool(Match.objects.filter(room=room, paused__isnull=False).exists())


def asked(room: Room, person: User) -> Json:
    found: Json = sync_data(load(room.pk), person.pk)["vote"]
    return found


def leaves(room: Room, person: User) -> None:
    rooms.leave(room.pk, person.pk).result()


def goes_away(room: Room, person: User) -> None:
    rooms.gone_away([room.members.get(user=person).pk]).result()


def is_kicked(room: Room, person: User) -> None:
    room.members.filter(user=person).update(spectator=True, away_since=source.now())
    assert room.host is not None
    rooms.kick(room.pk, room.host.pk, person.name).result()


def falls_silent(room: Room, person: User) -> None:
    """Simulate a crashed process, which does not report that its users have left."""
    room.members.filter(user=person).update(seen_at=source.now() - timedelta(minutes=1))
    Cleanup().run()


GOING = [leaves, goes_away, is_kicked, falls_silent]


@pytest.mark.parametrize("going", GOING)
def test_vote_passes_when_enough_undecided_members_leave(people: list[User], going: Going) -> None:
    ann, bob, cleo, dan, eve = people
    room = open_table(*people)
    start_match(room)
    call(now(room), bob, "pause")
    cast(room, ann)
    assert asked(room, ann)["needed"] == 3
    before = load(room.pk)
    going(now(room), dan)
    assert (asked(room, ann)["needed"], is_paused(room)) == (3, False)  # of four
    (changed,) = [
        one
        for one in packets(before, load(room.pk, before), ann.pk)
        if one["type"] == "VoteChanged"
    ]
    assert changed["voters"] == ["Ann", "Bob", "Cleo", "Eve"]
    assert changed["yes"] == ["Bob", "Ann"]
    before = load(room.pk)
    going(now(room), eve)
    assert is_paused(room)  # two of three
    kinds = [one["type"] for one in packets(before, load(room.pk, before), ann.pk)]
    assert {"VoteEnded", "Paused"} <= set(kinds)


@pytest.mark.parametrize("going", GOING)
def test_votes_of_leavers_do_not_count(people: list[User], going: Going) -> None:
    ann, bob, cleo, *_rest = people
    room = open_table(ann, bob, cleo)
    start_match(room)
    call(now(room), bob, "pause")
    going(now(room), bob)
    assert (asked(room, ann)["yes"], asked(room, ann)["needed"]) == ([], 2)
    cast(room, ann)
    assert not is_paused(room)
    cast(room, cleo)
    assert is_paused(room)


def test_vote_without_remaining_voters_times_out(
    people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, *_rest = people
    room = open_table(ann, bob)
    start_match(room)
    call(now(room), bob, "pause")
    goes_away(now(room), bob)
    goes_away(now(room), ann)
    assert (is_paused(room), now(room).vote_until is None) == (False, False)
    later(votes.LASTS)
    end_votes().result()
    assert (is_paused(room), now(room).vote_until) == (False, None)


def test_eliminated_players_do_not_block_a_vote(people: list[User]) -> None:
    ann, bob, cleo, dan, _eve = people
    room = open_table(ann, bob, cleo, dan)
    match = start_match(room)
    call(now(room), ann, "pause")
    cast(room, bob)
    match.players.filter(user__in=[cleo, dan]).update(out=True)
    Match.objects.filter(pk=match.pk).update(revision=F("revision") + 1)
    end_votes().result()
    assert is_paused(room)


def test_long_absent_players_stop_counting_during_a_vote(
    people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, *_rest = people
    room = open_table(ann, bob)
    goes_away(now(room), ann)
    later(votes.BACK_SOON - votes.LASTS / 2)
    call(now(room), bob, "host", username="Bob")
    end_votes().result()
    assert (now(room).host_id, asked(room, bob)["needed"]) == (ann.pk, 2)
    later(votes.BACK_SOON)
    end_votes().result()
    assert now(room).host_id == bob.pk


def test_future_spectators_do_not_vote_on_the_next_game(people: list[User]) -> None:
    ann, bob, cleo, *_rest = people
    room = open_table(ann, bob, cleo)
    call(now(room), bob, "game", game="coup")
    rooms.set_spectating(room.pk, ann.pk, True).result()
    assert asked(room, ann)["voters"] == ["Bob", "Cleo"]
    rooms.set_spectating(room.pk, cleo.pk, True).result()
    assert now(room).game == "coup"


def test_bot_match_is_skipped_when_undecided_spectators_leave(people: list[User]) -> None:
    ann, bob, cleo, dan, _eve = people
    room = open_table(ann, bots=2)
    start_match(room)
    for person in (bob, cleo, dan):
        rooms.join(room.code, person.pk, person.name, spectate=True).result()
    rooms.set_host(room.pk, ann.pk, "Cleo").result()
    leaves(now(room), ann)
    rooms.skip_ahead(room.pk, bob.pk).result()
    assert not Match.objects.get(room=room).pace
    goes_away(now(room), dan)
    assert not Match.objects.get(room=room).pace  # one of two
    leaves(now(room), cleo)
    assert Match.objects.get(room=room).pace


def test_vote_fails_as_soon_as_it_cannot_pass(people: list[User]) -> None:
    ann, bob, cleo, dan, _eve = people
    room = open_table(ann, bob, cleo, dan)
    start_match(room)
    call(now(room), bob, "pause")
    cast(room, ann, yes=False)
    before = load(room.pk)
    leaves(now(room), bob)
    leaves(now(room), cleo)
    ended = {"type": "VoteEnded", "about": "pause", "passed": False}
    assert ended in packets(before, load(room.pk, before), ann.pk)
