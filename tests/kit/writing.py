"""The writer under test: dummy jobs, and a way to block it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from games.engine.writer import command
from games.models import Room

PATIENCE = 30


@command
def add_room(code: str) -> str:
    return Room.objects.create(code=code, game="mia").code


@command
def run(job: Callable[[], object]) -> object:
    return job()


@contextmanager
def writer_held() -> Iterator[None]:
    """Hold the writer: jobs queued inside the block wait, then commit together."""
    entered, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        entered.set()
        assert go_on.wait(PATIENCE)

    held = run(wait)
    assert entered.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()
        held.result(PATIENCE)


def codes() -> set[str]:
    return set(Room.objects.values_list("code", flat=True))


def caused(error: Exception, sqlstate: str) -> Exception:
    """A Django error caused by a PostgreSQL error with this SQLSTATE."""
    error.__cause__ = type("Cause", (Exception,), {"sqlstate": sqlstate})()
    return error
