"""Downtime, stalls and clock changes cost nobody their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import grace
from games.engine.snapshots import load_snapshot
from games.engine.storage import storage
from games.engine.time_source import source
from games.engine.timing import GRACE
from games.models import Act, Heartbeat, Match, Member, Room
from games.rooms.cleanup import Cleanup
from games.runtime import heartbeat
from games.runtime.heartbeat import HeartbeatThread
from tests.kit.acting import act, make_due, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

Move = Callable[[timedelta, timedelta], None]
SECOND = timedelta(seconds=1)
HOUR, QUARTER = timedelta(hours=1), timedelta(minutes=15)
STALL = timedelta(seconds=30)


@pytest.fixture
def move(monkeypatch: pytest.MonkeyPatch) -> Iterator[Move]:
    """Advance the wall clock and the monotonic clock of this process."""

    def to(wall: timedelta, steady: timedelta) -> None:
        monkeypatch.setattr(source, "wall", lambda: timezone.now() + wall)
        monkeypatch.setattr(source, "monotonic", lambda: monotonic() + steady.total_seconds())

    yield to
    monkeypatch.undo()
    source.adopt()


@pytest.fixture
def thread() -> HeartbeatThread:
    """The heartbeat of the leading process."""
    beating = HeartbeatThread()
    heartbeat.begin(beating.name).result()
    beating.began.set()
    beating.renew()
    assert beating.leads
    return beating


def match_of_two() -> Match:
    return start_match(open_table(PersonFactory(), PersonFactory(), idleKick=0))


def left(match: Match) -> timedelta:
    """Return the time left to answer, as shown now."""
    deadline = load_snapshot(match.pk).row.deadline
    assert deadline is not None
    return deadline - source.now()


def assert_about(found: timedelta, wanted: timedelta, least: timedelta = SECOND) -> None:
    """Assert that the time left is this long, give or take the duration of the test."""
    assert wanted - 20 * least < found < wanted + 5 * SECOND


def fail_to_commit() -> None:
    raise OperationalError("disk full")


def lapses(match: Match) -> bool:
    try:
        rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()
    except Ignored:
        return False
    return Act.objects.filter(match=match, kind=Act.Kind.LAPSE).exists()


@pytest.mark.parametrize("jump", [-HOUR, QUARTER, -QUARTER, 24 * HOUR])
def test_wall_clock_change_costs_no_turn_and_freezes_nothing(
    move: Move, thread: HeartbeatThread, jump: timedelta
) -> None:
    match = match_of_two()
    room = Room.objects.get(pk=match.room_id)
    before = left(match)
    move(jump, timedelta(0))
    assert not lapses(match)
    thread.renew()
    assert abs(source.drift()) < SECOND
    assert_about(left(match), before)
    assert load_snapshot(match.pk).row.deadline - source.wall() == pytest.approx(
        left(match), abs=SECOND
    )
    assert not lapses(match)
    assert Room.objects.get(pk=room.pk).version > room.version
    move(jump + before + SECOND, before + SECOND)
    assert lapses(match)


@pytest.mark.parametrize("jump", [-HOUR, QUARTER])
def test_move_during_a_clock_correction_has_its_full_time(
    move: Move, thread: HeartbeatThread, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    match = match_of_two()
    before = left(match)
    move(jump, timedelta(0))
    real = heartbeat.lead

    def lead(*args: Any) -> Any:
        answer = real(*args)
        act(match, on_turn(match), "Roll")  # the writer gets it before the heartbeat continues
        return answer

    monkeypatch.setattr(heartbeat, "lead", lead)
    thread.renew()
    assert_about(left(match), before)


def test_clock_jump_is_detected_again_if_it_could_not_be_stored(
    move: Move, thread: HeartbeatThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of_two()
    before = left(match)
    move(QUARTER, timedelta(0))
    with monkeypatch.context() as patched:
        patched.setattr("games.engine.committing.check", fail_to_commit)
        with pytest.raises(Refused, match="busy"):
            thread.renew()
    assert_about(source.drift(), QUARTER)
    storage.works()
    thread.renew()
    assert abs(source.drift()) < SECOND
    assert_about(left(match), before)


def test_suspended_machine_costs_no_turn(move: Move, thread: HeartbeatThread) -> None:
    """A laptop with its lid closed: the wall clock advances, the monotonic clock does not."""
    match = match_of_two()
    before = left(match)
    ann = Member.objects.filter(room=match.room_id).first()
    move(8 * HOUR, timedelta(0))
    thread.renew()
    assert_about(left(match), before)
    Cleanup().run()
    assert Member.objects.get(pk=ann.pk).away_since is None


def test_stalled_process_costs_no_turn_and_no_presence(move: Move, thread: HeartbeatThread) -> None:
    match = match_of_two()
    before = left(match)
    gone = Member.objects.filter(room=match.room_id).first()
    Member.objects.filter(pk=gone.pk).update(away_since=source.now() - 5 * SECOND)
    move(STALL, STALL)
    assert not thread.is_current()
    thread.hold_up()
    thread.renew()
    assert thread.is_current()
    assert_about(left(match), before)
    Cleanup().run()
    present = Member.objects.filter(room=match.room_id, away_since=None)
    assert present.count() == 1
    away = source.now() - Member.objects.get(pk=gone.pk).away_since
    assert_about(away, 5 * SECOND)


def test_overlong_wait_counts_as_a_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    beating = HeartbeatThread()
    beating.began.set()
    beating.stop()
    able_since, ticks = beating._able_since, iter((0.0, 30.0))
    with monkeypatch.context() as patched:
        patched.setattr(source, "monotonic", lambda: next(ticks, monotonic()))
        beating._wait()
    assert beating._able_since != able_since


def test_bot_moves_are_postponed_too(thread: HeartbeatThread, move: Move, settings: object) -> None:
    settings.BOT_DELAY = (30, 30)  # type: ignore[attr-defined]
    room = open_table(PersonFactory(), bots=2)
    match = start_match(room)
    while not Match.objects.get(pk=match.pk).plans:
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="3,1")
    planned = Match.objects.get(pk=match.pk)
    move(-HOUR, timedelta(0))
    thread.renew()
    put_off = Match.objects.get(pk=match.pk)
    assert put_off.wake_at < planned.wake_at - HOUR + SECOND
    for seat, (prompt, due) in planned.plans.items():
        assert put_off.plans[seat] == [prompt, pytest.approx(due - 3600, abs=1)]


def test_stall_of_one_process_is_no_downtime_if_another_leads(
    move: Move, thread: HeartbeatThread
) -> None:
    match = match_of_two()
    deadline = load_snapshot(match.pk).row.deadline
    other = HeartbeatThread()
    other.renew()
    assert not other.leads
    move(STALL, STALL)
    other.renew()  # this process ran all the time and takes over
    assert other.leads
    thread.hold_up()
    thread.renew()
    assert not thread.leads
    assert load_snapshot(match.pk).row.deadline - deadline < SECOND


def test_clock_jump_is_applied_once_by_two_processes(move: Move, thread: HeartbeatThread) -> None:
    match = match_of_two()
    other = HeartbeatThread()
    before = left(match)
    move(QUARTER, timedelta(0))
    thread.renew()
    shifted = load_snapshot(match.pk).row.deadline
    other.renew()
    thread.renew()
    assert load_snapshot(match.pk).row.deadline == shifted
    assert_about(left(match), before)


def test_follower_takes_over_at_once_after_a_stop_and_later_after_a_crash(
    move: Move, thread: HeartbeatThread
) -> None:
    other = HeartbeatThread()
    other.renew()
    assert not other.leads
    move(heartbeat.LEASE - SECOND, heartbeat.LEASE - SECOND)
    other.renew()
    assert not other.leads
    move(heartbeat.LEASE + SECOND, heartbeat.LEASE + SECOND)
    other.renew()
    assert other.leads
    other.stop()
    thread.renew()
    assert thread.leads


def test_time_does_not_pass_while_storage_fails(
    move: Move, thread: HeartbeatThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of_two()
    before = left(match)
    move(STALL, STALL)
    with monkeypatch.context() as patched:

        def busy(*args: object) -> object:
            raise Refused("busy")

        patched.setattr(heartbeat, "lead", busy)
        with pytest.raises(Refused):
            thread.renew()
        thread.hold_up()
    thread.renew()
    assert_about(left(match), before)


@pytest.mark.parametrize("dark", [timedelta(seconds=2), timedelta(minutes=5)])
def test_remaining_time_is_restored_after_a_start_with_a_minimum(
    dark: timedelta,
) -> None:
    close, far = match_of_two(), match_of_two()
    stopped = timezone.now() - dark
    for match, seconds in ((close, 3), (far, 50)):
        due = stopped + timedelta(seconds=seconds)
        Match.objects.filter(pk=match.pk).update(deadline=due, wake_at=due, revision=1)
    Member.objects.update(seen_at=stopped)
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": stopped, "leader": "who died"})
    heartbeat.begin("new").result()
    assert_about(left(close), timedelta(seconds=GRACE))
    assert_about(left(far), 50 * SECOND)
    Cleanup().run()
    assert not Member.objects.exclude(away_since=None).exists()


def test_statements_to_postpone_do_not_grow_with_matches_without_clocks() -> None:
    """Such matches must not keep a process with very many of them from starting."""
    counts = []
    for _ in range(2):
        for _ in range(3):
            start_match(open_table(PersonFactory(), PersonFactory(), pace="none", idleKick=0))
        with transaction.atomic(), CaptureQueriesContext(connection) as captured:
            grace.put_off(HOUR, source.now(), SECOND)
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert not Match.objects.exclude(deadline=None).exists()


def test_overdue_prompt_missed_by_the_server_gets_a_grace_period() -> None:
    match = match_of_two()
    make_due(match)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - STALL, revision=1)
    assert not lapses(match)
    assert_about(left(match), timedelta(seconds=GRACE))
    past: datetime = timezone.now() - SECOND
    Match.objects.filter(pk=match.pk).update(deadline=past, revision=9)
    assert lapses(match)


@pytest.fixture
def follow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[timedelta], None]]:
    """Follow a database whose clock differs from this machine's."""
    monkeypatch.setattr(source, "wall", source.wall)
    monkeypatch.setattr(source, "skew", source.skew)
    monkeypatch.setattr(source, "_follows", False)
    yield lambda theirs: source.follow(lambda: timezone.now() + theirs)
    monkeypatch.undo()
    source.adopt()


@pytest.mark.parametrize("skew", [STALL, -STALL, HOUR])
def test_host_with_a_wrong_clock_uses_that_of_the_database(
    follow: Callable[[timedelta], None], skew: timedelta
) -> None:
    follow(-skew)
    assert abs(source.now() - (timezone.now() - skew)) < SECOND
    assert abs(source.judged() - (timezone.now() - skew)) < SECOND
    assert abs(source.skew - skew) < SECOND


def test_turn_does_not_lapse_early_on_a_host_whose_clock_is_ahead(
    follow: Callable[[timedelta], None], thread: HeartbeatThread
) -> None:
    follow(-HOUR)
    match = match_of_two()
    before = left(match)
    assert load_snapshot(match.pk).row.deadline < timezone.now()
    assert not lapses(match)
    assert_about(left(match), before)


def test_slow_answer_of_the_database_does_not_set_the_time(
    follow: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(timedelta(0))
    steady = iter([monotonic(), monotonic() + 1])
    with monkeypatch.context() as patched:
        patched.setattr(source, "monotonic", lambda: next(steady))
        source.follow(lambda: timezone.now() + HOUR)
    assert abs(source.drift()) < SECOND
