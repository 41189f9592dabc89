"""`manage.py drain` lets matches finish, refuses new ones, and notifies everybody."""

from __future__ import annotations

import io
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games import rooms
from games.contract.core import Refused
from games.engine import draining
from games.models import Room
from operations.management.commands import drain
from tests.kit.acting import play_out
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def drained(**options: Any) -> tuple[int, str]:
    """Return the command's outcome and output."""
    said = io.StringIO()
    try:
        call_command("drain", stdout=said, **options)
    except SystemExit as ended:
        return int(str(ended.code)), said.getvalue()
    return 0, said.getvalue()


def a_table() -> Room:
    return open_table(PersonFactory(), PersonFactory(), lives=1)


def test_drain_prevents_new_matches_and_shows_a_notice() -> None:
    room = a_table()
    code, said = drained()
    assert code == 0
    assert "No match is running." in said
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.start(room.pk, room.host_id).result()
    assert draining.SENTENCE in Client().get("/").content.decode()


def test_drain_waits_for_the_last_match(monkeypatch: Any) -> None:
    monkeypatch.setattr(drain, "LOOKS_EVERY", 0.01)
    room = a_table()
    play = threading.Timer(0.0, lambda: None)

    class Said(io.StringIO):
        def write(self, text: str) -> int:
            if "Running: 1 of mia" in text:
                play.start()
            return super().write(text)

    start_match(room)
    play.function = lambda: rooms.leave(room.pk, room.host_id).result()  # the other player wins
    said = Said()
    call_command("drain", stdout=said)
    play.join()
    assert "No match is running." in said.getvalue()


def test_drain_times_out_and_matches_continue() -> None:
    start_match(a_table())
    code, said = drained(minutes=0.0)
    assert code == 2
    assert "after the restart: 1 of mia" in said


def test_matches_can_start_after_drain_is_cancelled_or_expires() -> None:
    draining.begin(timezone.now() + timedelta(hours=1))
    assert draining.is_draining()
    assert drained(off=True) == (0, "New matches are allowed again.\n")
    assert drained(off=True) == (0, "New matches were not prevented.\n")
    draining.begin(timezone.now() - timedelta(seconds=1))
    play_out(a_table())


def test_interrupting_drain_cancels_it(monkeypatch: Any) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(drain.Command, "_wait", interrupt)
    with pytest.raises(CommandError, match="Cancelled"):
        drained()
    assert not draining.is_draining()


def test_invalid_time_limit_is_rejected() -> None:
    with pytest.raises(CommandError, match="from 0 to 1440"):
        drained(minutes=-1.0)
