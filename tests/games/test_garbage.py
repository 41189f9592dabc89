"""A process does not scan all of its objects in each full garbage collection."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from games.runtime.garbage import PAUSE, Garbage

SCAN_S = 2.0
"""Time that each collection takes, by the clock of these tests."""


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


class Clock:
    """A clock that goes on while a collection runs."""

    def __init__(self) -> None:
        self.now = 0.0
        self._is_running = False

    def __call__(self) -> float:
        self.now += SCAN_S if self._is_running else 0.0
        self._is_running = not self._is_running
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    garbage = Garbage(clock)
    garbage.start()
    yield clock
    garbage.stop()
    gc.collect()


def test_survivors_are_not_scanned_again(clock: Clock) -> None:
    """Objects that survive a full collection are exempt from the next ones."""
    kept = [Node() for _ in range(1000)]
    gc.collect()
    frozen = gc.get_freeze_count()
    scanned = {id(one) for one in gc.get_objects()}

    assert frozen >= len(kept)
    assert not scanned & {id(one) for one in kept}


def test_garbage_among_survivors_is_found_later(clock: Clock) -> None:
    """Everything is scanned again, but for at most a small share of the time."""
    node = Node()
    gone = weakref.ref(node)
    gc.collect()
    del node

    clock.now = SCAN_S * (PAUSE - 10)
    gc.collect()
    assert gone() is not None

    clock.now = SCAN_S * (PAUSE + 10)
    gc.collect()  # after this one, everything is scanned
    gc.collect()
    assert gone() is None

    assert gc.get_freeze_count() > 0


def test_other_objects_are_freed_at_once(clock: Clock) -> None:
    """Reference counting frees exempt objects."""
    kept = Node()
    gone = weakref.ref(kept)
    gc.collect()

    del kept.itself
    del kept
    assert gone() is None
