"""Storage that hangs for a while, such as a frozen PostgreSQL or a stalled disk."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from django.db import connection

from games.contract.core import Refused
from games.engine import matches, writer
from games.models import Act, Match, Player
from games.runtime.health import storage_fault
from tests.kit.acting import on_turn, prompt_of
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for
from tests.kit.writing import PATIENCE, add_room, codes, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WATCH_INTERVAL_S", 0.02)


@contextmanager
def hanging() -> Iterator[None]:
    """Let the writer's statements hang inside the block. Callers get `busy` after 0.2 s."""
    stopped = frozen_server() if connection.vendor == "postgresql" else held_up()
    with stopped, patch.object(writer, "ANSWER_TIMEOUT_S", 0.2):
        yield
    wait_for(lambda: not writer._writer._group, "the writer still hangs")


@contextmanager
def frozen_server() -> Iterator[None]:
    """Freeze the PostgreSQL process that serves the writer."""

    def ask() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cursor.fetchone()[0]

    pid = run(ask).result(PATIENCE)
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def held_up() -> Iterator[None]:
    """Stall the disk of an SQLite file while something is written."""
    entered, go_on = threading.Event(), threading.Event()

    def hang() -> None:
        entered.set()
        assert go_on.wait(PATIENCE)

    run(hang)
    assert entered.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()


def roll(match: Match, player: Player, prompt: int) -> int:
    packet = {"type": "Roll"}
    return matches.move(match.room_id, player.user_id, packet, prompt).result(PATIENCE)


def test_move_during_a_hang_is_refused_as_busy_and_retries_count_once() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), game="mia", pace="none"))
    player = on_turn(match)
    prompt = prompt_of(match, player)
    with hanging(), pytest.raises(Refused, match="busy"):
        roll(match, player, prompt)
    assert roll(match, player, prompt) == roll(match, player, prompt)
    assert Act.objects.filter(match=match, kind="move").count() == 1
    assert not storage_fault()


def test_writes_during_a_hang_are_refused_and_the_probe_gives_the_reason() -> None:
    with hanging():
        with pytest.raises(Refused, match="busy"):
            add_room("AAAAA").result(PATIENCE)
        assert storage_fault() == "TimeoutError: a write hangs"
        refused = add_room("BBBBB")
        assert refused.done()
        with pytest.raises(Refused, match="busy"):
            refused.result()
    assert add_room("CCCCC").result(PATIENCE) == "CCCCC"
    assert "BBBBB" not in codes()
