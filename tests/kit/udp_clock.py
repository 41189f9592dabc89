"""A fake clock for a UDP server and its conformance kit, which jumps while both wait.

If neither side has anything to read and no thread works for the server, the clock advances to the
next timeout. So tests never really wait, and slow machines barely affect timing. One side runs at a
time: whatever it sends arrives before the other side runs.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.mia import bench, kit, scenes_names, scenes_time
from games.engine.writer import Pending
from games.udp import allowance, rest, server, table
from tests.kit.waiting import BETWEEN, patiently

REAL = 1e-4
"""Fraction of real time that is added, so that later events have later times."""
BEGINS = 1000.0
TICK = 1e-8
"""Seconds by which a jump overshoots its target."""
Found = list[tuple[selectors.SelectorKey, int]]


class Clock:
    """The time of a server and its judge. `busy`: number of threads at work for the server."""

    def __init__(self) -> None:
        self._began, self._jumped = time.time(), BEGINS
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.busy = 0
        self.sides: list[Side] = []

    def now(self) -> float:
        """Return the time in seconds."""
        return self.at(time.time())

    def at(self, real: float) -> float:
        """Convert a real time to this clock, assuming no jump since."""
        return self._jumped + (real - self._began) * REAL

    @property
    def alone(self) -> bool:
        """Whether no kit is testing the server now. Then real time counts in full."""
        return len(self.sides) < 2

    def jump_to(self, until: float) -> None:
        """Advance to that time, but never go back."""
        self._jumped += max(0.0, until + TICK - self.now())

    def jump_where_all_wait(self) -> None:
        """Advance to the next timeout if both sides wait with nothing to do."""
        moments = [side.until for side in self.sides if side.until is not None]
        if self.alone or self.busy or not moments or not all(map(Side.is_idle, self.sides)):
            return
        self.jump_to(min(moments))
        for side in self.sides:
            if side.until is not None and side.until <= self.now():
                side.wake()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Count a thread as working for the server inside the block."""
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1


class Side(selectors.DefaultSelector):
    """The wait of one side for input. `until`: when it times out."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.waits = self.runs = False
        self.until: float | None = None
        self._own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._own.bind(("127.0.0.1", 0))
        self._own.connect(self._own.getsockname())
        self.register(self._own, selectors.EVENT_READ)
        self._others(clock.sides.append)

    def close(self) -> None:
        self._others(self.clock.sides.remove)
        self.unregister(self._own)
        self._own.close()
        super().close()
        self._give_turn()

    def get_map(self) -> Any:
        """Return only what the user of this selector has registered."""
        return {fd: key for fd, key in super().get_map().items() if key.fileobj is not self._own}

    def select(self, timeout: float | None = None) -> Found:
        found = super().select(0)
        if not found and (timeout is None or timeout > 0):
            found = self._wait(timeout)
        return [one for one in found if not self._is_own(one)]

    def wake(self) -> None:
        self._own.send(b"!")

    def is_idle(self) -> bool:
        """Return whether it waits with nothing to read."""
        return self.waits and not super().select(0)

    def _wait(self, timeout: float | None) -> Found:
        self._let_arrive()
        with self.clock.lock:
            self.waits = True
            self.until = None if timeout is None else self.clock.now() + timeout
            alone = self.clock.alone
            self.clock.jump_where_all_wait()
        self._give_turn()
        found = super().select(timeout if alone else None)
        self.clock.turn.acquire()
        self.runs = True
        with self.clock.lock:
            self.waits = False
            if self.clock.alone and not found and self.until is not None:
                self.clock.jump_to(self.until)
        return found

    def _give_turn(self) -> None:
        if self.runs:
            self.runs = False
            self.clock.turn.release()

    def _let_arrive(self) -> None:
        """Send and receive a byte here: everything that was sent before has then arrived, too."""
        self.wake()
        self._own.recv(1)

    def _is_own(self, one: tuple[selectors.SelectorKey, int]) -> bool:
        if one[0].fileobj is not self._own:
            return False
        self._own.recv(1)
        return True

    def _others(self, change: Any) -> None:
        """Add or remove this side, and wake the other so that it recomputes its wait."""
        with self.clock.lock:
            change(self)
            for side in self.clock.sides:
                if side is not self:
                    side.wake()


class Loop(asyncio.SelectorEventLoop):
    """A server's event loop on such a clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        super().__init__(Side(clock))

    def time(self) -> float:
        return self._clock.now()

    def run_in_executor(self, *args: Any) -> Any:
        done = super().run_in_executor(*args)
        work = self._clock.working()
        work.__enter__()
        done.add_done_callback(lambda _: work.__exit__(None, None, None))
        return done


@cache
def _stamped() -> socket.socket:
    """Wait until the kernel timestamps datagrams on arrival.

    It does so while this socket is open, but only some time after the first request. Until then,
    timestamps are the times at which datagrams are read.
    """
    asks = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asks.bind(("127.0.0.1", 0))
    asks.connect(asks.getsockname())
    if bench.STAMPS:
        asks.setsockopt(socket.SOL_SOCKET, bench.STAMPS, 1)
        for _ in patiently("datagrams get no time"):
            asks.send(b"!")
            sent = time.time()
            time.sleep(BETWEEN)
            if bench._stamp(asks.recvmsg(1, 64)[1]) <= sent:
                break
    return asks


def install(patch: pytest.MonkeyPatch) -> Clock:
    """Put servers and judges of this test on one clock."""
    _stamped()
    clock = Clock()
    stamp = bench._stamp

    def written(pending: Pending[Any]) -> Generator[Any, None, Any]:
        with clock.working():
            return (yield from asyncio.wrap_future(pending).__await__())

    watch = SimpleNamespace(time=clock.now, monotonic=clock.now)
    for module in (allowance, rest, table, bench, kit, scenes_names, scenes_time):
        patch.setattr(module, "time", watch)
    patch.setattr(bench, "_stamp", lambda extra: clock.at(stamp(extra)))
    sides = SimpleNamespace(DefaultSelector=lambda: Side(clock), EVENT_READ=selectors.EVENT_READ)
    patch.setattr(bench, "selectors", sides)
    patch.setattr(server, "new_event_loop", lambda: Loop(clock))
    patch.setattr(Pending, "__await__", written)
    return clock
