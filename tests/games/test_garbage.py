"""Objects that survive a garbage collection are exempt from the next ones."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from games.runtime.garbage import PAUSE, YOUNG, Garbage

SCAN_S = 2.0
"""Time that each scan takes, by the clock of these tests."""


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


class Clock:
    """A clock that advances between the beginning and the end of a scan."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += SCAN_S
        return self.now


@pytest.fixture
def garbage() -> Iterator[Garbage]:
    before = gc.get_threshold()
    garbage = Garbage(Clock())
    garbage.start()
    yield garbage
    garbage.stop()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    gc.collect()


def exempt(nodes: list[Node]) -> bool:
    """Whether none of these objects will be scanned again."""
    return not {id(one) for one in gc.get_objects()} & {id(one) for one in nodes}


def test_survivors_are_not_scanned_again(garbage: Garbage) -> None:
    """One collection is enough, even one of the youngest objects."""
    kept = [Node() for _ in range(1000)]
    assert not exempt(kept[-9:])
    gc.collect(0)
    assert exempt(kept)


def test_few_objects_are_not_scanned(garbage: Garbage) -> None:
    """The objects of a few moves are gone before the next collection."""
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    kept = [Node() for _ in range(YOUNG // 2)]
    assert gc.get_stats()[0]["collections"] == before
    kept += [Node() for _ in range(YOUNG)]
    assert gc.get_stats()[0]["collections"] > before


def test_garbage_among_survivors_is_found_later(garbage: Garbage) -> None:
    """Everything is scanned again, but for at most a small share of the time."""
    node = Node()
    gone = weakref.ref(node)
    gc.collect()
    del node
    gc.collect()
    assert gone() is not None

    assert garbage.scan() == SCAN_S * PAUSE
    assert gone() is None
    assert gc.get_freeze_count() > 0


def test_other_objects_are_freed_at_once(garbage: Garbage) -> None:
    """Reference counting frees exempt objects."""
    kept = Node()
    gone = weakref.ref(kept)
    gc.collect()

    del kept.itself
    del kept
    assert gone() is None
