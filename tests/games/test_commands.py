"""Commands: how users and timeouts change rooms and matches in the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import rooms
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Act, Match, Player, Room
from games.rooms import cleanup
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)


def roll(match: Match, **packet: Any) -> int:
    """Roll for the player whose turn it is."""
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    user = seen.players[seat].user_id
    return matches.move(match.room_id, user, {"type": "Roll", **packet}).result()


def on_turn(match: Match) -> Player:
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    return seen.players[seat]


def test_match_has_a_snapshot_and_a_log_of_acts() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    assert match.version == 1
    assert roll(match) == 2
    acts = list(Act.objects.filter(match=match).values_list("number", "kind", "by"))
    assert acts == [(1, "setup", "hand"), (2, "move", "hand")]
    assert [draw["label"] for draw in Act.objects.get(match=match, number=2).draws] == [
        "die",
        "die",
    ]


def test_concurrent_duplicate_moves_count_once() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    player = on_turn(match)
    prompt = load_snapshot(match.pk).state.prompts[player.seat]
    moves = [
        matches.move(match.room_id, player.user_id, {"type": "Roll"}, prompt) for _ in range(10)
    ]
    assert {pending.result() for pending in moves} == {2}
    assert Act.objects.filter(match=match).count() == 2


def test_leaver_is_out_and_the_last_player_wins() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.leave(room.pk, bob.pk).result()
    match.refresh_from_db()
    room.refresh_from_db()
    assert match.ended_at is not None
    assert room.status == Room.Status.FINISHED
    assert room.standings == {str(ann): 1}
    assert Player.objects.get(match=match, user=ann).place == 1


def let_time_run_out(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(
        deadline=timezone.now() - timedelta(seconds=1),
        version=load_snapshot(match.pk).row.version + 1,
    )
    rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()


def test_abandoned_room_is_closed() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    rooms.leave(room.pk, ann.pk).result()
    cleanup.Cleanup().run(timezone.now() + timedelta(minutes=29))
    assert Room.objects.get(pk=room.pk).status == Room.Status.OPEN
    cleanup.Cleanup().run(timezone.now() + timedelta(minutes=31))
    assert Room.objects.get(pk=room.pk).status == Room.Status.CLOSED


def test_idle_player_is_warned_before_losing_the_seat() -> None:
    room = open_table(PersonFactory(), PersonFactory(), idleKick=3)
    match = start_match(room)
    silent = on_turn(match)
    before = load(room.pk)
    let_time_run_out(match)
    now = load(room.pk, before)
    assert silent.user_id is not None
    alerts = [p for p in packets(before, now, silent.user_id) if p["type"] == "ShowAlert"]
    assert [alert["message"] for alert in alerts] == [
        "You missed your turn. Miss 2 more and you lose your seat."
    ]
