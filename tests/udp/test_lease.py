"""Processes on several hosts agree which of them owns the UDP port."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from games.models import Heartbeat
from games.udp.lock import LEASE, Lock, lock

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has a lock on a file"),
]


def let_pass(time: timedelta) -> None:
    """Age the lease, as if its holder had not asked for this long."""
    Heartbeat.objects.filter(pk=Heartbeat.UDP).update(at=F("at") - time)


def two() -> tuple[Lock, Lock]:
    """A lock held by the first of two processes."""
    first, second = lock(), lock()
    assert first.acquire()
    return first, second


def test_lock_is_held_by_one_process_until_it_is_released() -> None:
    first, second = two()
    assert first.acquire()
    assert first.held()
    assert not second.acquire()
    assert not second.held()
    first.release()
    assert not first.held()
    assert second.acquire()


def test_lock_of_a_vanished_host_is_taken_over_after_its_lease() -> None:
    first, second = two()
    let_pass(LEASE / 2)
    assert not second.acquire()
    let_pass(LEASE)
    assert second.acquire()
    assert not first.held()
    first.release()
    assert second.held()


def test_asking_renews_the_lease() -> None:
    first, second = two()
    let_pass(2 * LEASE)
    assert first.held()
    assert not second.acquire()
