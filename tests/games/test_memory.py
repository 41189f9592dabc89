"""Tables in memory: stale ones are detected, and rolled-back ones are dropped."""

from __future__ import annotations

import pytest

from games.contract.core import Ignored, Refused
from games.engine.memory import memory
from games.models import Act
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.writing import PATIENCE, run

pytestmark = pytest.mark.django_db(transaction=True)


def held(room_id: int) -> None:
    """Put the room into memory, as the hub does."""
    memory.put(load(room_id), memory.ticket())


def version_at_hand(room_id: int) -> int | None:
    room = memory.get(room_id)
    return room.match.row.version if room is not None and room.match is not None else None


def test_table_in_memory_matches_the_committed_state_after_a_move() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    held(room.pk)
    version = act(match, on_turn(match), "Roll")
    assert version_at_hand(room.pk) == version
    table, stored = memory.get(room.pk), load(room.pk)
    assert table is not None
    assert table.match == stored.match


def test_refusal_by_a_stale_table_is_rechecked_against_the_database() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    behind = load(room.pk)
    first = on_turn(match)
    act(match, first, "Roll")
    act(match, first, "Announce", dice="3,2")
    memory.put(behind, memory.ticket())  # as if another process had written both
    second = on_turn(match)
    assert second.seat != first.seat
    act(match, second, "Roll")
    assert Act.objects.filter(match=match, kind="move").count() == 3


def test_move_accepted_by_a_stale_table_is_rechecked() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    behind, first = load(room.pk), on_turn(match)
    act(match, first, "Roll")
    memory.put(behind, memory.ticket())
    with pytest.raises((Ignored, Refused)):
        act(match, first, "Roll")  # the stale table allows it
    assert Act.objects.filter(match=match, kind="move").count() == 1


def test_table_loaded_before_a_change_is_not_cached_after_it() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    ticket, read = memory.ticket(), load(room.pk)
    act(match, on_turn(match), "Roll")
    memory.put(read, ticket)
    assert memory.get(room.pk) is not read


def test_rolled_back_change_is_not_cached() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    held(room.pk)
    before = version_at_hand(room.pk)

    def stage_and_break() -> None:
        memory.stage(room.pk, None)
        assert memory.get(room.pk) is None
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(stage_and_break).result(PATIENCE)
    assert run(lambda: version_at_hand(room.pk)).result(PATIENCE) == before
    assert match.pk
