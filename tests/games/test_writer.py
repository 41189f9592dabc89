"""The writer has one thread, commits all waiting jobs together, and answers each once."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError

from games.contract.core import Refused
from games.engine import act_log, notifications, time_source, writer
from games.engine.snapshots import row_copy
from games.engine.writer import Conflict, Pending, command, move_command
from games.models import Act, Match, Room
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.writing import PATIENCE, add_room, codes, run, writer_held

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_failure_in_a_group_costs_only_itself() -> None:
    def write_and_fail() -> None:
        Room.objects.create(code="BBBBB", game="mia")
        raise Refused("bad_target")

    with writer_held():
        first, bad, last = add_room("AAAAA"), run(write_and_fail), add_room("CCCCC")
    assert (first.result(PATIENCE), last.result(PATIENCE)) == ("AAAAA", "CCCCC")
    with pytest.raises(Refused, match="bad_target"):
        bad.result(PATIENCE)
    assert codes() == {"AAAAA", "CCCCC"}


def test_a_fault_in_the_code_is_told_to_who_asked_and_leaves_nothing_behind() -> None:
    def write_and_break() -> None:
        Room.objects.create(code="BBBBB", game="mia")
        raise ZeroDivisionError

    with writer_held():
        first, bad = add_room("AAAAA"), run(write_and_break)
    with pytest.raises(ZeroDivisionError):
        bad.result(PATIENCE)
    first.result(PATIENCE)
    assert codes() == {"AAAAA"}


def test_a_database_that_fails_one_job_is_a_sentence_and_the_others_go_through() -> None:
    def fail() -> None:
        raise DatabaseError("the disk is full")

    with writer_held():
        first, bad, last = add_room("AAAAA"), run(fail), add_room("CCCCC")
    with pytest.raises(Refused, match="busy"):
        bad.result(PATIENCE)
    assert (first.result(PATIENCE), last.result(PATIENCE)) == ("AAAAA", "CCCCC")
    assert codes() == {"AAAAA", "CCCCC"}


@pytest.mark.parametrize("error", [Conflict, IntegrityError])
def test_who_was_overtaken_looks_again(error: type[Exception]) -> None:
    tries = []

    def overtaken_once() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise error
        return "done"

    assert run(overtaken_once).result(PATIENCE) == "done"


def test_after_three_conflicts_it_is_busy() -> None:
    tries = []

    def always_overtaken() -> None:
        tries.append(1)
        raise Conflict

    with pytest.raises(Refused, match="busy"):
        run(always_overtaken).result(PATIENCE)
    assert len(tries) == 3


def test_a_full_queue_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_writer", writer._Writer())
    monkeypatch.setattr(writer, "MOST_WAITING", 1)
    with writer_held():
        waiting, refused = add_room("AAAAA"), add_room("BBBBB")
        with pytest.raises(Refused, match="busy"):
            refused.result(PATIENCE)
    assert waiting.result(PATIENCE) == "AAAAA"


def test_who_stops_waiting_does_not_leave_the_others_without_an_answer() -> None:
    async def ask() -> str:
        with writer_held():
            impatient = asyncio.ensure_future(_awaited(add_room("AAAAA")))
            patient = asyncio.ensure_future(_awaited(add_room("BBBBB")))
            await asyncio.sleep(0)
            impatient.cancel()
            await asyncio.sleep(0)
        return await asyncio.wait_for(patient, PATIENCE)

    assert asyncio.run(ask()) == "BBBBB"
    assert codes() == {"AAAAA", "BBBBB"}


def test_a_listener_that_fails_hurts_no_other_nor_what_is_committed() -> None:
    def fail(room_id: int) -> None:
        raise RuntimeError

    done: list[object] = []
    heard: list[int] = []
    room = open_table(PersonFactory())
    notifications.subscribe(fail)
    notifications.subscribe(heard.append)
    try:
        with writer_held():
            both = [
                run(lambda: done.append(notifications.notify_room_changed(room.pk)))
                for _ in range(2)
            ]
        for pending in both:
            pending.result(PATIENCE)
    finally:
        notifications.unsubscribe(fail)
        notifications.unsubscribe(heard.append)
    assert len(done) == 2
    assert heard == [room.pk, room.pk]


async def _awaited(pending: writer.Pending[str]) -> str:
    return await pending


def test_what_a_refused_job_has_written_is_undone() -> None:
    room = open_table(PersonFactory(), PersonFactory(), game="mia")
    match = start_match(room)

    @command
    def store_and_refuse() -> None:
        row = row_copy(Match.objects.get(pk=match.pk))
        row.version += 1
        facts = dict.fromkeys(("seat", "prompt", "move"))
        assert act_log.store(row, "move", "hand", time_source.now(), told=(), draws=(), **facts)
        raise Refused("not_allowed_now")

    with pytest.raises(Refused, match="not_allowed_now"):
        store_and_refuse().result(PATIENCE)
    assert Match.objects.get(pk=match.pk).version == match.version
    assert Act.objects.filter(match=match).count() == 1


def test_moves_pass_a_crowd_that_waits_and_the_crowd_gets_on_too() -> None:
    done: list[str] = []
    with writer_held():
        joins = [command(partial(done.append, f"join {at}"))() for at in range(20)]
        moves = [move_command(partial(done.append, f"move {at}"))() for at in range(3)]
    for job in (*joins, *moves):
        job.result(PATIENCE)
    assert done == [*(f"move {at}" for at in range(3)), *(f"join {at}" for at in range(20))]


def test_a_crowd_is_written_a_few_at_a_time_so_that_moves_get_between() -> None:
    done: list[str] = []

    def join(at: int) -> None:
        done.append(f"join {at}")
        if at == 3:
            moves.append(move_command(partial(done.append, "move"))())

    moves: list[Pending[None]] = []
    with writer_held():
        joins = [command(partial(join, at))() for at in range(20)]
    for job in joins:
        job.result(PATIENCE)
    assert done.index("move") == writer.OTHERS_TOGETHER
