"""Joining a running match whose game and options have a seat for it (Cards)."""

from __future__ import annotations

import pytest

from games import rooms
from games.contract.data import Seat
from games.engine.snapshots import load_snapshot
from games.engine.told import told_acts_since
from games.history.verify import differences
from games.models import Act, Match, Room
from games.rooms.members import Rejected
from games.tables.loading import load
from tests.kit.acting import let_time_run_out
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)


def running(**options: object) -> tuple[Room, Match]:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="cards", allowLateJoin=True, maxRounds=3, **options)
    return room, start_match(room)


def test_late_joiner_is_dealt_in_with_the_next_round() -> None:
    room, match = running()
    dan = PersonFactory()
    rooms.join(room.code, dan.pk, str(dan)).result()
    seen = load_snapshot(match.pk)
    assert seen.seat_of(dan.pk) == Seat(3)
    assert Act.objects.get(match=match, number=seen.row.version).kind == Act.Kind.JOIN
    table = load(room.pk)
    data = sync_data(table, dan.pk)
    assert not data["offers"]
    assert not data["view"]["hand"]
    entry = next(player for player in data["players"] if player["username"] == str(dan))
    assert (entry["seat"], entry["isJoining"], entry["inGame"]) == (3, True, True)
    (joined,) = [
        event for told_act in told_acts_since(seen, 1) for event, _to, _event in told_act.told
    ]
    assert joined == {"type": "SeatJoined", "username": str(dan)}
    for _ in range(2):
        let_time_run_out(match)
    assert len(sync_data(load(room.pk), dan.pk)["view"]["hand"]) >= 7


def test_log_of_a_match_with_a_late_joiner_can_be_verified() -> None:
    room, match = running()
    dan = PersonFactory()
    rooms.join(room.code, dan.pk, str(dan)).result()
    for _ in range(20):
        match.refresh_from_db()
        if match.ended_at is not None:
            break
        let_time_run_out(match)
    assert match.ended_at is not None
    assert match.outcome["places"]
    # Two lapses raise the version without the rules; the random draws must still be reproducible.
    assert [d for d in differences(match) if "draw" in d] == []


def test_table_without_spectators_admits_a_late_joiner_with_a_seat() -> None:
    room, match = running(spectators="none")
    dan = PersonFactory()
    rooms.join(room.code, dan.pk, str(dan)).result()
    assert load_snapshot(match.pk).seat_of(dan.pk) == Seat(3)
    closed = open_table(*(PersonFactory() for _ in range(3)), game="cards", spectators="none")
    start_match(closed)
    with pytest.raises(Rejected, match="RoomFull"):
        rooms.join(closed.code, dan.pk, str(dan)).result()


def test_name_of_a_former_player_cannot_be_reused_in_the_match() -> None:
    room, match = running()
    gone = next(
        player for player in load_snapshot(match.pk).players if player.user_id != room.host_id
    )
    extra = PersonFactory()
    rooms.join(room.code, extra.pk, str(extra)).result()
    rooms.leave(room.pk, gone.user_id).result()
    same = PersonFactory(name=gone.name)
    with pytest.raises(Rejected, match="UsernameTaken"):
        rooms.join(room.code, same.pk, gone.name).result()


def test_spectator_gets_no_seat_in_a_running_match() -> None:
    room, match = running()
    dan = PersonFactory()
    rooms.join(room.code, dan.pk, str(dan), spectate=True).result()
    assert load_snapshot(match.pk).seat_of(dan.pk) is None
