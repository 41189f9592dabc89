"""A clock of their own for a UDP server and the kit that judges it: it jumps while both wait.

Where both sides have nothing to read, and no thread does anything for the server, the clock goes on
to whatever comes next. So nothing has to be waited for, and what a busy machine takes for its work
counts for almost nothing. One side runs at a time: what it says has arrived before another hears.
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
"""So much counts of the time that really passes: what comes later has a later time."""
BEGINS = 1000.0
TICK = 1e-8
"""A jump goes so far beyond what it is for."""
Found = list[tuple[selectors.SelectorKey, int]]


class Clock:
    """The time of a server and its judge. `busy`: what threads do for the server just now."""

    def __init__(self) -> None:
        self._began, self._jumped = time.time(), BEGINS
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.busy = 0
        self.sides: list[Side] = []

    def now(self) -> float:
        """Return the seconds this clock shows."""
        return self.at(time.time())

    def at(self, real: float) -> float:
        """Return what it shows at that time, where it has not jumped since."""
        return self._jumped + (real - self._began) * REAL

    @property
    def alone(self) -> bool:
        """Whether nobody judges the server just now: then time passes as ever."""
        return len(self.sides) < 2

    def jump_to(self, until: float) -> None:
        """Go on to that moment; never back."""
        self._jumped += max(0.0, until + TICK - self.now())

    def jump_where_all_wait(self) -> None:
        """Go on to the next moment one of them waits for, where none has anything to do."""
        moments = [side.until for side in self.sides if side.until is not None]
        if self.alone or self.busy or not moments or not all(map(Side.is_idle, self.sides)):
            return
        self.jump_to(min(moments))
        for side in self.sides:
            if side.until is not None and side.until <= self.now():
                side.wake()

    @contextmanager
    def working(self) -> Iterator[None]:
        """A thread does something for the server meanwhile."""
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1


class Side(selectors.DefaultSelector):
    """How one of them waits for what it reads. `until`: for no longer than until then."""

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
        """Only what has been registered by who uses it."""
        return {fd: key for fd, key in super().get_map().items() if key.fileobj is not self._own}

    def select(self, timeout: float | None = None) -> Found:
        found = super().select(0)
        if not found and (timeout is None or timeout > 0):
            found = self._wait(timeout)
        return [one for one in found if not self._is_own(one)]

    def wake(self) -> None:
        self._own.send(b"!")

    def is_idle(self) -> bool:
        """Whether it waits, and there is nothing for it to read."""
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
        """What has been sent before this is read back has arrived as well."""
        self.wake()
        self._own.recv(1)

    def _is_own(self, one: tuple[selectors.SelectorKey, int]) -> bool:
        if one[0].fileobj is not self._own:
            return False
        self._own.recv(1)
        return True

    def _others(self, change: Any) -> None:
        """Come or go; the side that waits already has to wait anew."""
        with self.clock.lock:
            change(self)
            for side in self.clock.sides:
                if side is not self:
                    side.wake()


class Loop(asyncio.SelectorEventLoop):
    """The loop of a server that lives by such a clock."""

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
    """Wait until the kernel says when datagrams come; it does so as long as this socket is there.

    It begins some time after the first that asks for it, and until then says when they are read.
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
    """Let servers and judges of this test live by one clock."""
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
