"""A running match that this code cannot read is left unchanged until it can be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from msgspec import UNSET

from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import acts, matches, notifications, seat_owners
from games.engine.snapshots import Parked, load_snapshot
from games.engine.time_source import source
from games.engine.writer import command
from games.models import Act, Heartbeat, Match, Member, Player, Room
from games.registry import GAMES
from games.runtime import heartbeat
from games.runtime import parked as parked_matches
from games.tables.diff import packets
from games.tables.loading import load
from games.tables.serializers import serialize_table
from lobby.listing import public_tables
from tests.kit.acting import act, let_time_run_out, make_due, on_turn
from tests.kit.altered import altered
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

Undo = Callable[[], object]
SENTENCE = "This server cannot read the match just now."


@pytest.fixture(autouse=True)
def _games_keep_their_order() -> Iterator[None]:
    """Restore the order of games, because a game removed and added again would come last."""
    before = dict(GAMES)
    yield
    GAMES.clear()
    GAMES.update(before)


def newer_state(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    """Simulate a rollback: a newer version has stored an unknown field."""
    return store(match, state=json.dumps(json.loads(match.state) | {"ofTomorrow": 1}))


def damaged_state(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    return store(match, state=match.state[: len(match.state) // 2])


def newer_game(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    return store(match, game_version=match.game_version + 1)


def damaged_seed(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    return store(match, secret="no seed")


def newer_plans(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    """Store the plans of bots in another format."""
    return store(match, plans={"0": {"prompt": 1, "due": 0}})


def no_such_game(match: Match, patch: pytest.MonkeyPatch) -> Undo:
    before = dict(GAMES)
    patch.delitem(GAMES, "mia")
    store(match)

    def bring_back() -> None:  # in the original order
        GAMES.clear()
        GAMES.update(before)

    return bring_back


def store(match: Match, **fields: Any) -> Undo:
    """Write as another process or a fault would, and increase the revision.

    The revision is the cache key.
    """
    match.refresh_from_db()
    before = {name: getattr(match, name) for name in fields}
    Match.objects.filter(pk=match.pk).update(**fields, revision=match.revision + 1)
    return lambda: Match.objects.filter(pk=match.pk).update(**before, revision=match.revision + 2)


WAYS = [newer_state, damaged_state, newer_game, damaged_seed, newer_plans, no_such_game]
Strategy = Callable[[Match, pytest.MonkeyPatch], Undo]


def stored(match: Match) -> dict[str, Any]:
    return Match.objects.filter(pk=match.pk).values().get()


@pytest.mark.parametrize("way", WAYS)
def test_parked_match_is_unchanged_and_continues_when_readable(
    clock: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, way: Strategy
) -> None:
    monkeypatch.setattr("games.runtime.parked.PARKED_FOR", 0.1)
    monkeypatch.setattr("games.runtime.clock.TICK", 0.05)
    caplog.set_level(logging.INFO, logger="games.runtime.parked")
    match = start_match(open_table(PersonFactory(), PersonFactory(), idleKick=0))
    undo = way(match, monkeypatch)
    make_due(match)
    before = stored(match)
    wait_for(lambda: "is parked" in caplog.text)
    with pytest.raises(Refused, match="parked"):
        act(match, Player.objects.get(match=match, seat=0), "Roll")
    with pytest.raises(Ignored):
        matches.move(match.room_id, PersonFactory().pk, {"type": "Roll"}).result()
    assert stored(match) == before
    assert Act.objects.filter(match=match).count() == 1
    undo()
    wait_for(lambda: Act.objects.filter(match=match, kind=Act.Kind.LAPSE).exists())
    assert caplog.text.count("is parked") == 1


def test_parked_match_does_not_keep_the_clock_busy(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.runtime.clock.TICK", 0.05)
    looks: list[int] = []
    monkeypatch.setattr(
        "games.runtime.clock.load_snapshot", lambda pk: looks.append(pk) or load_snapshot(pk)
    )
    parked = start_match(open_table(PersonFactory(), PersonFactory()))
    newer_game(parked, monkeypatch)
    make_due(parked)
    match = start_match(open_table(PersonFactory(), PersonFactory(), idleKick=0))
    for _ in range(3):
        make_due(match)
        lapsed = Act.objects.filter(match=match, kind=Act.Kind.LAPSE)
        so_many = lapsed.count()
        wait_for(lambda lapsed=lapsed, n=so_many: lapsed.count() > n)
    assert looks.count(parked.pk) == 1


def test_table_is_notified_once_that_its_match_is_parked() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    shown: list[int] = []

    def note(room_id: int, by_act: bool) -> None:
        shown.append(room_id)

    notifications.subscribe(note)
    try:
        parked = parked_matches.ParkedMatches()
        parked.put(match.pk, Parked())
        parked.put(match.pk, Parked())
    finally:
        notifications.unsubscribe(note)
    assert shown == [match.room_id]


def test_parked_state_is_shown_to_programs_and_in_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = PersonFactory()
    match = start_match(open_table(ann, PersonFactory()))
    before = load(match.room_id)
    newer_state(match, monkeypatch)
    now = load(match.room_id, before)
    data = serialize_table(now, ann.pk)
    assert data.parked.startswith(SENTENCE)
    assert (data.status, data.match_id, data.view, data.offers) == ("playing", match.pk, None, ())
    client = Client()
    client.force_login(ann)
    room = Room.objects.get(pk=match.room_id)
    for address in ("/", "/tables/"):
        assert "cannot read the match just now" in client.get(address).content.decode()
    assert all(table["parked"] for table in public_tables())
    assert client.get(f"/t/{room.code}/").status_code == 200


def test_resumed_match_sends_missed_acts_but_no_second_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = PersonFactory()
    match = start_match(open_table(ann, PersonFactory()))
    seen = load(match.room_id)
    undo = newer_game(match, monkeypatch)
    parked = load(match.room_id, seen)
    told = [type(p).__name__ for p in packets(seen, parked, ann.pk)]
    assert told == ["GameDataSync", "ShowAlert"]
    undo()
    act(match, on_turn(match), "Roll")
    again = load(match.room_id, parked)
    told = [type(p).__name__ for p in packets(parked, again, ann.pk)]
    assert "GameStarted" not in told
    assert [told_act.version for told_act in again.acts] == [2]


def test_members_can_join_chat_and_leave_while_parked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, bob, eve, zoe = (PersonFactory() for _ in range(4))
    room = open_table(ann, bob, eve)
    match = start_match(room)
    undo = newer_state(match, monkeypatch)
    rooms.join(room.code, zoe.pk, str(zoe)).result()
    rooms.say(room.pk, ann.pk, "What now?").result()
    rooms.leave(room.pk, bob.pk).result()
    assert Member.objects.get(room=room, user=bob).left_because == "left"
    assert Player.objects.get(match=match, user=bob).gone == ""
    undo()
    let_time_run_out(match)
    assert Player.objects.get(match=match, user=bob).gone == "left"
    assert Player.objects.get(match=match, user=eve).gone == ""


def test_parked_match_does_not_prevent_a_restart_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All times that a match has stored are shifted by the downtime."""
    parked = start_match(open_table(PersonFactory(), PersonFactory()))
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    newer_plans(parked, monkeypatch)
    before = stored(match)["deadline"], stored(parked)
    Heartbeat.objects.create(pk=1, at=source.now() - timedelta(minutes=5))
    heartbeat.begin("a process").result()
    assert stored(match)["deadline"] - before[0] >= timedelta(minutes=5)
    assert stored(parked)["deadline"] - before[1]["deadline"] >= timedelta(minutes=5)
    assert stored(parked)["plans"] == before[1]["plans"]


def test_match_of_an_older_version_can_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    monkeypatch.setitem(GAMES, "mia", altered(GAMES["mia"], version=2))
    Match.objects.filter(pk=match.pk).update(revision=1)
    act(match, on_turn(match), "Roll")
    assert Match.objects.get(pk=match.pk).version == 2


def test_merged_guest_keeps_the_seat_of_a_parked_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    match = start_match(open_table(ann, PersonFactory()))
    undo = newer_state(match, monkeypatch)
    before = Match.objects.get(pk=match.pk).state

    command(seat_owners.reseat)(match.pk, {0: bob.pk}).result()
    assert Player.objects.get(match=match, seat=0).user_id == bob.pk
    assert Match.objects.get(pk=match.pk).state == before
    undo()
    assert load_snapshot(match.pk).seat_of(bob.pk) == 0


def test_moderator_can_end_a_parked_match(monkeypatch: pytest.MonkeyPatch) -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    damaged_state(match, monkeypatch)
    command(acts.end_without_result)(Match.objects.get(pk=match.pk)).result()
    assert Room.objects.get(pk=match.room_id).status == Room.Status.FINISHED
    assert serialize_table(load(match.room_id), None).parked is UNSET
