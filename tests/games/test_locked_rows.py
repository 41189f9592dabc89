"""A row that another session keeps locked, as after the crash of a host, delays nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import rooms
from games.contract.core import Refused
from games.engine import acts, committing, matches, writer
from games.engine.storage import without_time_limits
from games.engine.writer import Pending
from games.models import Match
from games.rooms.faces import choose_face
from tests.kit.acting import on_turn, prompt_of
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for
from tests.kit.writing import PATIENCE, add_room, writer_held

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no locks on rows"),
]


@contextmanager
def locked(*held: Match) -> Iterator[None]:
    """Lock these matches in another session."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            ids = [match.pk for match in held]
            cursor.execute("SELECT id FROM games_match WHERE id = ANY(%s) FOR UPDATE", [ids])
        yield
    finally:
        other.rollback()
        other.close()


def a_match() -> Match:
    return start_match(open_table(PersonFactory(), PersonFactory(), game="mia", pace="none"))


def bots_only(lives: int = 1) -> Match:
    """A match of bots whose host has started it and left."""
    host = PersonFactory()
    room = open_table(host, game="mia", bots=3, onLeave="substitute", lives=lives)
    match = start_match(room)
    rooms.leave(room.pk, host.pk).result()
    return match


def roll(match: Match) -> Pending[int]:
    player = on_turn(match)
    packet = {"type": "Roll"}
    return matches.move(match.room_id, player.user_id, packet, prompt_of(match, player))


def test_moves_committed_together_with_a_blocked_one_succeed_before_it() -> None:
    blocked, free = a_match(), a_match()
    with locked(blocked):
        with writer_held():
            waiting, others = roll(blocked), [roll(free), add_room("AAAAA")]
        for other in others:
            other.result(PATIENCE)
        assert not waiting.done()
    assert waiting.result(PATIENCE) == Match.objects.get(pk=blocked.pk).version


def test_new_move_does_not_wait_for_a_blocked_one() -> None:
    blocked, free = a_match(), a_match()
    with locked(blocked):
        waiting = roll(blocked)
        roll(free).result(PATIENCE)
        assert not waiting.done()
    waiting.result(PATIENCE)


def test_lock_that_lasts_is_refused_as_busy_and_stores_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(committing, "LONGEST_WAIT_S", 0.4)
    blocked = a_match()
    with locked(blocked), pytest.raises(Refused, match="busy"):
        roll(blocked).result(PATIENCE)
    assert Match.objects.get(pk=blocked.pk).version == blocked.version
    assert caplog.text.count("another session has locked a row") == 1
    assert "Traceback" not in caplog.text


def test_blocked_jobs_count_as_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    blocked, free = a_match(), a_match()
    with locked(blocked):
        waiting = roll(blocked)
        wait_for(lambda: writer._writer._aside)
        monkeypatch.setattr(writer, "MOST_WAITING", 1)
        with pytest.raises(Refused, match="busy"):
            roll(free).result(PATIENCE)
    waiting.result(PATIENCE)


def test_blocked_job_is_tried_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    delays = []
    put_aside = committing.Job.put_aside
    monkeypatch.setattr(
        committing.Job, "put_aside", lambda job: (delays.append(job.delay), put_aside(job))
    )
    monkeypatch.setattr(committing, "LONGEST_WAIT_S", 0.5)
    blocked = a_match()
    with locked(blocked), pytest.raises(Refused, match="busy"):
        roll(blocked).result(PATIENCE)
    assert delays[:2] == [committing.FIRST_DELAY_S, 2 * committing.FIRST_DELAY_S]


def test_clock_goes_on_with_other_matches_while_one_is_locked(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "LONGEST_WAIT_S", 1000)
    monkeypatch.setattr(writer, "ANSWER_TIMEOUT_S", 1000)  # the blocked command is never refused
    blocked = bots_only(lives=5)
    with locked(blocked):
        wait_for(lambda: writer._writer._aside)
        free = bots_only()
        wait_for(lambda: Match.objects.get(pk=free.pk).ended_at is not None)
        assert Match.objects.get(pk=blocked.pk).ended_at is None
    wait_for(lambda: Match.objects.get(pk=blocked.pk).ended_at is not None)


def test_sessions_have_limits_which_long_commands_lift() -> None:
    def limits() -> list[str]:
        with connection.cursor() as cursor:
            names = ("idle_in_transaction_session_timeout", "lock_timeout")
            return [cursor.execute(f"SHOW {name}").fetchone()[0] for name in names]

    connection.close()
    assert limits() == ["5s", "5s"]
    without_time_limits()
    assert limits() == ["0", "0"]
    connection.close()


@pytest.mark.parametrize("act", ["opened_page", "choose_face", "end of a match"])
def test_rooms_that_are_saved_were_read_with_a_lock(act: str) -> None:
    """Otherwise two changes could get the same version, and other processes would miss one."""
    person = PersonFactory()
    room = open_table(person, PersonFactory())
    match = start_match(room) if act == "end of a match" else None
    with transaction.atomic(), CaptureQueriesContext(connection) as made:
        if match is not None:
            acts.end_without_result(match)
        elif act == "opened_page":
            rooms.opened_page.__wrapped__(room.members.get(user=person).pk)  # type: ignore[attr-defined]
        else:
            choose_face.__wrapped__(person.pk, "fox")  # type: ignore[attr-defined]
    found = [one["sql"] for one in made]
    assert any(sql.startswith('UPDATE "games_room"') for sql in found)
    reads = [sql for sql in found if sql.startswith('SELECT "games_room"."id", ')]
    assert [sql for sql in reads if not sql.endswith("FOR UPDATE")] == []
