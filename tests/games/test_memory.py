"""Tables in memory: stale ones are detected, and rolled-back ones are dropped."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.contract.core import Ignored, Refused
from games.engine.memory import memory
from games.models import Act
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.reports import says
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


def test_load_reads_only_new_acts_if_nothing_else_has_changed() -> None:
    """Afterwards, the table equals one that is loaded completely."""
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    before = load(room.pk)
    first = on_turn(match)
    act(match, first, "Roll")
    act(match, first, "Announce", dice="3,2")
    with CaptureQueriesContext(connection) as queries:
        now = load(room.pk, before)
    read = {name for one in queries for name in re.findall(r'FROM "(\w+)"', one["sql"])}
    assert read <= {"games_match", "games_player", "games_act", "games_room"}
    assert [act.version for act in now.acts] == [2, 3]
    assert (now.members, now.chat) == (before.members, before.chat)
    assert now.match == load(room.pk).match


def test_load_reads_everything_if_the_room_has_changed() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    before = load(room.pk)
    act(match, on_turn(match), "Roll")
    says(room, ann, "Hello")
    now = load(room.pk, before)
    assert [message.text for message in now.chat] == ["Hello"]
    assert len(now.acts) == 1


def test_room_that_is_shown_stays_in_memory_whatever_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = open_table(PersonFactory(), PersonFactory())
    match = start_match(room)
    monkeypatch.setattr(memory.held, "most", 0)
    held(room.pk)
    assert memory.get(room.pk) is None
    memory.begin_showing(room.pk)
    held(room.pk)
    version = act(match, on_turn(match), "Roll")
    assert version_at_hand(room.pk) == version
    memory.evict(room.pk)
    assert memory.get(room.pk) is None
    held(room.pk)
    memory.stop_showing(room.pk)
    assert memory.get(room.pk) is None


def test_room_that_is_no_longer_shown_stays_in_memory_if_there_is_space() -> None:
    room = open_table(PersonFactory(), PersonFactory())
    memory.begin_showing(room.pk)
    held(room.pk)
    memory.stop_showing(room.pk)
    assert memory.held.get(room.pk) is not None
