"""Changes between two loads of a table are sent only to viewers who may know them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import rooms
from games.engine import long_jobs, matches
from games.engine.grace import put_off
from games.engine.snapshots import load_snapshot
from games.engine.writer import command
from games.history import staff
from games.models import Match
from games.pages import regions
from games.tables.loading import load
from games.tables.table import Json
from games.wire.wire import iso
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)


def private(told: list[Json]) -> list[Json]:
    return [packet for packet in told if packet["type"] == "Rolled"]


def test_batched_acts_are_sent_in_order_with_one_sync() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    before = load(room.pk)
    first = on_turn(match)
    act(match, first, "Roll")
    act(match, first, "Announce", dice="3,2")
    second = on_turn(match)
    act(match, second, "Roll")
    now = load(room.pk, before)
    assert first.user_id is not None
    told = packets(before, now, first.user_id)
    assert [p["type"] for p in told] == [
        "PlayerRolls",
        "Rolled",
        "Announced",
        "PlayerRolls",
        "GameDataSync",
        "TurnEnd",
        "TurnStart",
    ]
    assert [p["version"] for p in told if "version" in p] == [2, 2, 3, 4, 4, 4]
    assert second.user_id is not None
    assert [p["version"] for p in private(packets(before, now, second.user_id))] == [4]


def test_private_events_of_a_finished_match_do_not_leak_to_new_seat_owners() -> None:
    """Seats change hands between matches: earlier events of seat 0 are not for its new owner."""
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, lives=1)
    first = start_match(room)
    before = load(room.pk)
    told_to = []
    while Match.objects.get(pk=first.pk).ended_at is None:
        if load_snapshot(first.pk).phase == "result":
            for player in load_snapshot(first.pk).players:
                if not player.out:
                    act(first, player, "Continue")
        roller = on_turn(first)
        told_to.append(roller.user_id)
        act(first, roller, "Roll")
        act(first, roller, "Announce", dice="2,1")
    rooms.leave(room.pk, ann.pk).result()
    rooms.join(room.code, ann.pk, str(ann)).result()
    room.refresh_from_db()
    second = start_match(room)
    assert [p.user for p in second.players.all()] == [bob, eve, ann]
    now = load(room.pk, before)
    for person in (ann, bob, eve):
        told = private(packets(before, now, person.pk))
        assert len(told) == told_to.count(person.pk)


def test_end_of_a_match_is_sent_even_if_the_next_has_started() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, lives=1)
    first = start_match(room)
    before = load(room.pk)
    act(first, on_turn(first), "Roll")
    act(first, on_turn(first), "Announce", dice="2,1")
    second = start_match(room)
    told = packets(before, load(room.pk, before), ann.pk)
    milestones = (
        "PlayerOut",
        "GameDataSync",
        "GameEnd",
        "GameStarted",
        "RoundStarted",
        "TurnStart",
    )
    assert [p["type"] for p in told if p["type"] in milestones] == [
        *("PlayerOut", "GameDataSync", "GameEnd"),
        *("GameStarted", "RoundStarted", "GameDataSync", "TurnStart"),
    ]
    syncs = [p["data"] for p in told if p["type"] == "GameDataSync"]
    assert [data["matchId"] for data in syncs] == [first.pk, second.pk]
    assert [data["status"] for data in syncs] == ["finished", "playing"]
    assert [data["turnCount"] for data in syncs] == [1, 1]
    assert next(p for p in told if p["type"] == "GameEnd")["fairness"]["serverSeed"] == first.secret
    assert second.secret not in str(told)
    promised = next(p for p in told if p["type"] == "GameStarted")["fairness"]["commitment"]
    assert [data["fairness"]["commitment"] for data in syncs] == [promised] * 2


def test_member_without_a_seat_is_notified() -> None:
    people = [PersonFactory() for _ in range(10)]
    room = open_table(*people)
    rooms.set_spectating(room.pk, people[9].pk, True).result()
    before = load(room.pk)
    start_match(room)
    now = load(room.pk, before)
    alerts = {
        person.pk: [p for p in packets(before, now, person.pk) if p["type"] == "ShowAlert"]
        for person in people
    }
    assert [len(alerts[person.pk]) for person in people] == [0] * 8 + [1, 0]
    assert alerts[people[8].pk][0]["level"] == "info"
    assert "8" in alerts[people[8].pk][0]["message"]


def test_stopped_match_is_announced_to_everybody() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.join(room.code, eve.pk, str(eve)).result()
    before = load(room.pk)
    matches.give_up(match.pk).result()
    now = load(room.pk, before)
    for person in (ann, bob, eve):
        told = packets(before, now, person.pk)
        end = next(p for p in told if p["type"] == "GameEnd")
        assert (end["reason"], end["winners"]) == ("aborted", [])
        (alert,) = [p for p in told if p["type"] == "ShowAlert"]
        assert alert["level"] == "error"
        assert "had to be stopped" in alert["message"]


def test_postponed_deadline_is_sent_to_programs() -> None:
    ann = PersonFactory()
    room = open_table(ann, PersonFactory())
    match = start_match(room)
    before = load(room.pk)
    put_off(timedelta(hours=1), timezone.now())
    (told,) = packets(before, load(room.pk, before), ann.pk)
    deadline = Match.objects.get(pk=match.pk).deadline
    assert deadline is not None
    assert told["data"]["deadline"] == iso(deadline)


@pytest.mark.parametrize("status", ["open", "playing"])
def test_new_name_of_a_member_without_a_seat_is_sent_to_programs(status: str) -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    if status == "playing":
        start_match(room)
    rooms.join(room.code, eve.pk, "eve", spectate=True).result()
    before = load(room.pk)
    command(staff.take_name)(eve.pk, "rude").result()
    long_jobs.work_on_all()
    now = load(room.pk, before)
    (told,) = [one for one in packets(before, now, ann.pk) if one["type"] == "GameDataSync"]
    assert f"Player {eve.pk}" in [player["username"] for player in told["data"]["players"]]


def test_newest_act_stays_available_without_its_private_events() -> None:
    ann = PersonFactory()
    room = open_table(ann, PersonFactory())
    match = start_match(room)
    table = load(room.pk, with_story=True)
    roller = on_turn(match)
    version = act(match, roller, "Roll")
    table = load(room.pk, table)
    rooms.say(room.pk, ann.pk, "Well?").result()
    later = load(room.pk, table)
    for seen in (table, later, load(room.pk, with_story=True)):
        assert seen.newest is not None
        assert seen.newest.version == version
    assert roller.user_id is not None
    board = next(r for r in regions(later, roller.user_id) if r.id == "board")
    assert [event["type"] for event in board.part["newest"]] == ["PlayerRolls"]
    assert load(room.pk).newest is None
