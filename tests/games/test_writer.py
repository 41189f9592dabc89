"""The writer has one thread, commits all waiting jobs together, and answers each once."""

from __future__ import annotations

import asyncio
from copy import copy
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError

from games.contract.core import Refused
from games.engine import act_log, notifications, time_source, writer
from games.engine.committing import Conflict
from games.engine.writer import Pending, command, move_command
from games.models import Act, Match, Room
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.writing import PATIENCE, add_room, codes, run, writer_held

pytestmark = pytest.mark.django_db(transaction=True)


def test_failed_job_does_not_affect_others_in_its_batch() -> None:
    def write_and_fail() -> None:
        Room.objects.create(code="BBBBB", game="mia")
        raise Refused("bad_target")

    with writer_held():
        first, bad, last = add_room("AAAAA"), run(write_and_fail), add_room("CCCCC")
    assert (first.result(PATIENCE), last.result(PATIENCE)) == ("AAAAA", "CCCCC")
    with pytest.raises(Refused, match="bad_target"):
        bad.result(PATIENCE)
    assert codes() == {"AAAAA", "CCCCC"}


def test_exception_is_raised_to_the_caller_and_rolled_back() -> None:
    def write_and_break() -> None:
        Room.objects.create(code="BBBBB", game="mia")
        raise ZeroDivisionError

    with writer_held():
        first, bad = add_room("AAAAA"), run(write_and_break)
    with pytest.raises(ZeroDivisionError):
        bad.result(PATIENCE)
    first.result(PATIENCE)
    assert codes() == {"AAAAA"}


def test_database_error_of_one_job_is_refused_as_busy() -> None:
    def fail() -> None:
        raise DatabaseError("the disk is full")

    with writer_held():
        first, bad, last = add_room("AAAAA"), run(fail), add_room("CCCCC")
    with pytest.raises(Refused, match="busy"):
        bad.result(PATIENCE)
    assert (first.result(PATIENCE), last.result(PATIENCE)) == ("AAAAA", "CCCCC")
    assert codes() == {"AAAAA", "CCCCC"}


@pytest.mark.parametrize("error", [Conflict, IntegrityError])
def test_conflicting_job_is_retried(error: type[Exception]) -> None:
    tries = []

    def overtaken_once() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise error
        return "done"

    assert run(overtaken_once).result(PATIENCE) == "done"


def test_job_is_refused_as_busy_after_three_conflicts() -> None:
    tries = []

    def always_overtaken() -> None:
        tries.append(1)
        raise Conflict

    with pytest.raises(Refused, match="busy"):
        run(always_overtaken).result(PATIENCE)
    assert len(tries) == 3


def test_full_queue_refuses_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_writer", writer._Writer())
    monkeypatch.setattr(writer, "MOST_WAITING", 1)
    with writer_held():
        waiting, refused = add_room("AAAAA"), add_room("BBBBB")
        with pytest.raises(Refused, match="busy"):
            refused.result(PATIENCE)
    assert waiting.result(PATIENCE) == "AAAAA"


def test_cancelling_one_wait_does_not_affect_others() -> None:
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


def test_failing_listener_affects_neither_others_nor_the_commit() -> None:
    def fail(room_id: int, by_act: bool) -> None:
        raise RuntimeError

    done: list[object] = []
    heard: list[tuple[int, bool]] = []

    def note(room_id: int, by_act: bool) -> None:
        heard.append((room_id, by_act))

    room = open_table(PersonFactory())
    notifications.subscribe(fail)
    notifications.subscribe(note)
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
        notifications.unsubscribe(note)
    assert len(done) == 2
    assert heard == [(room.pk, False)] * 2


async def _awaited(pending: writer.Pending[str]) -> str:
    return await pending


def test_writes_of_a_refused_job_are_rolled_back() -> None:
    room = open_table(PersonFactory(), PersonFactory(), game="mia")
    match = start_match(room)

    @command
    def store_and_refuse() -> None:
        row = copy(Match.objects.get(pk=match.pk))
        row.version += 1
        act_log.store(row, act_log.Step(Act.Kind.MOVE), (), time_source.now())
        raise Refused("not_allowed_now")

    with pytest.raises(Refused, match="not_allowed_now"):
        store_and_refuse().result(PATIENCE)
    assert Match.objects.get(pk=match.pk).version == match.version
    assert Act.objects.filter(match=match).count() == 1


def test_moves_overtake_waiting_jobs_without_starving_them() -> None:
    done: list[str] = []
    with writer_held():
        joins = [command(partial(done.append, f"join {at}"))() for at in range(20)]
        moves = [move_command(partial(done.append, f"move {at}"))() for at in range(3)]
    for job in (*joins, *moves):
        job.result(PATIENCE)
    assert done == [*(f"move {at}" for at in range(3)), *(f"join {at}" for at in range(20))]


def test_other_jobs_run_in_small_batches_so_that_moves_get_through() -> None:
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
