"""Cleaning up rooms over time: absent people, absent hosts, empty rooms."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.models import Member, Player, Room
from games.rooms import cleanup
from games.rooms.cleanup import Cleanup
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()


def away_for(user: User, **how_long: float) -> None:
    Member.objects.filter(user=user).update(away_since=NOW - timedelta(**how_long), seen_at=NOW)


def clean_up(now: datetime = NOW) -> None:
    Cleanup().run(now)


def member(user: User) -> Member:
    return Member.objects.get(user=user)


@pytest.mark.parametrize(("seconds", "spectator"), [(59, False), (61, True)])
def test_absent_members_of_an_open_room_become_spectators(seconds: int, spectator: bool) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    open_table(ann, bob)
    away_for(bob, seconds=seconds)
    clean_up()
    assert member(bob).spectator is spectator


@pytest.mark.parametrize(("minutes", "because"), [(9.9, ""), (10.1, "disconnected")])
def test_absent_members_are_removed_after_ten_minutes(minutes: float, because: str) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    open_table(ann, bob)
    away_for(bob, minutes=minutes)
    clean_up()
    assert member(bob).left_because == because


def test_absent_players_keep_their_seats_in_a_running_match() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    match = start_match(open_table(ann, bob))
    away_for(bob, hours=5)
    clean_up()
    assert member(bob).left_at is None
    assert Player.objects.get(match=match, user=bob).gone == ""


@pytest.mark.parametrize(
    ("playing", "seconds", "followed"),
    [(False, 59, False), (False, 61, True), (True, 119, False), (True, 121, True)],
)
def test_absent_host_is_replaced(playing: bool, seconds: int, followed: bool) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, bots=1)
    if playing:
        start_match(room)
    away_for(ann, seconds=seconds)
    clean_up()
    room.refresh_from_db()
    assert room.host == (bob if followed else ann)


def test_absent_host_stays_host_if_nobody_else_is_present() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, bots=1)
    start_match(room)
    away_for(ann, hours=1)
    away_for(bob, hours=1)
    clean_up()
    room.refresh_from_db()
    assert room.host == ann


def test_returning_member_is_no_longer_absent() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    away_for(bob, seconds=30)
    rooms.join(room.code, bob.pk, str(bob)).result()
    assert member(bob).away_since is None
    away_for(bob, seconds=30)
    rooms.seen([member(bob).pk]).result()
    clean_up()
    assert member(bob).away_since is None


def test_members_of_a_dead_process_count_as_away_since_last_seen() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    open_table(ann, bob, bots=1)
    heard = NOW - timedelta(seconds=26)
    Member.objects.filter(user=bob).update(seen_at=heard)
    clean_up()
    assert member(bob).away_since == heard
    assert member(ann).away_since is None
    assert not Member.objects.exclude(bot="").exclude(away_since=None).exists()


def finished(ann: User, bob: User) -> Room:
    room = open_table(ann, bob, lives=1)
    match = start_match(room)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="2,1")
    return Room.objects.get(pk=room.pk)


def test_finished_room_is_closed_after_a_day() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = finished(ann, bob)
    assert room.status == Room.Status.FINISHED
    for person in (ann, bob):
        rooms.leave(room.pk, person.pk).result()
    now = timezone.now()
    clean_up(now + timedelta(hours=23.9))
    assert Room.objects.get(pk=room.pk).status == Room.Status.FINISHED
    clean_up(now + timedelta(hours=24.1))
    assert Room.objects.get(pk=room.pk).status == Room.Status.CLOSED


def test_running_match_without_spectators_is_not_closed() -> None:
    ann = PersonFactory()
    room = open_table(ann, bots=2, onLeave="substitute")
    start_match(room)
    rooms.leave(room.pk, ann.pk).result()
    clean_up(timezone.now() + timedelta(days=2))
    assert Room.objects.get(pk=room.pk).status == Room.Status.PLAYING


def test_cleanup_queries_use_their_indexes() -> None:
    if connection.vendor != "sqlite":  # other query planners know that there are few rows
        return
    with connection.cursor() as cursor:
        plans = []
        for query in cleanup._due(NOW):
            sql, params = query.query.sql_with_params()
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            plans += [row[3] for row in cursor.fetchall()]
    assert not [plan for plan in plans if plan.startswith("SCAN")]
    for name in ("member_present_seen_at", "room_empty_since"):
        assert any(name in plan for plan in plans)


def test_deserted_tables_are_cleaned_up_in_small_ordered_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [PersonFactory() for _ in range(5)]
    tables = [open_table(person, PersonFactory()) for person in people]
    for person in people:
        away_for(person, minutes=11)
    portions: list[list[int]] = []
    real = cleanup.clean_up_rooms
    monkeypatch.setattr(cleanup, "AT_ONCE", 2)
    monkeypatch.setattr(
        cleanup, "clean_up_rooms", lambda now, ids: portions.append(ids) or real(now, ids)
    )
    clean_up()
    numbers = sorted(table.pk for table in tables)
    assert portions == [numbers[:2], numbers[2:4], numbers[4:]]
    assert {member(person).left_because for person in people} == {"disconnected"}


def test_failing_table_does_not_block_the_cleanup_of_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = PersonFactory(), PersonFactory()
    room = open_table(bad, PersonFactory())
    open_table(good, PersonFactory())
    away_for(bad, minutes=11)
    away_for(good, minutes=11)
    real = cleanup.ensure_host

    def go(at: Room) -> None:
        if at.pk == room.pk:
            raise ZeroDivisionError
        real(at)

    monkeypatch.setattr(cleanup, "ensure_host", go)
    job = Cleanup()
    for _ in range(3):
        job.run(NOW)
    assert member(good).left_because == "disconnected"
    assert member(bad).left_because == ""
    assert caplog.text.count("could not be cleaned up") == 1


@pytest.mark.parametrize("status", Room.Status)
def test_room_is_no_longer_due_after_its_cleanup(status: Room.Status) -> None:
    """Otherwise every cleanup would process all these rooms again, even closed ones."""
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    if status != Room.Status.OPEN:
        start_match(room)
    long_ago = NOW - timedelta(hours=5)
    Room.objects.filter(pk=room.pk).update(
        status=status, screen_seen_at=long_ago, empty_since=long_ago
    )
    Member.objects.filter(room=room).update(seen_at=long_ago)
    assert cleanup.due(NOW) == [room.pk]
    clean_up()  # marks them as away
    clean_up()  # handles their absence
    assert cleanup.due(NOW) == []


def test_room_that_somebody_rejoins_is_not_closed() -> None:
    ann = PersonFactory()
    room = open_table(ann, bots=1)
    rooms.leave(room.pk, ann.pk).result()
    rooms.join(room.code, ann.pk, str(ann)).result()
    now = timezone.now() + timedelta(minutes=31)
    Member.objects.update(seen_at=now)
    clean_up(now)
    room.refresh_from_db()
    assert (room.status, room.host) == (Room.Status.OPEN, ann)
