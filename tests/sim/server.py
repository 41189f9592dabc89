"""The server of an evening: its processes, each with its own memory, clock and connections.

All processes run in one event loop. Each callback runs in the process that scheduled it
(`tests.sim.machine.Loop`), which puts what that process holds in memory in place first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, copy_context
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections

from games.engine import committing, notifications, snapshots, writer
from games.engine.bounded_cache import BoundedCache
from games.engine.memory import RoomMemory, memory
from games.engine.process import Process as Named
from games.engine.process import process
from games.engine.reachable import ReadState, reading
from games.engine.storage import Storage, storage
from games.engine.time_source import TimeSource, source
from games.runtime import heartbeat
from games.runtime.clock import FAR_AWAY, Clock
from games.sockets import hub as hubs
from games.sockets.connections import ConnectionLimiter, connection_limiter
from tests.sim.machine import PROCESS

if TYPE_CHECKING:
    from tests.sim.people import Line

T = TypeVar("T")

STARTS_WITHIN = 6.0
"""Maximum seconds until a killed process is started again."""


class Killed(BaseException):
    """The process that runs this code is killed at this point."""


class Process:
    """A process of the server, or the outside world, which has a memory but runs no server."""

    _inside: Process | None = None
    """The process whose memory is in place."""
    _graveyard: list[asyncio.Task[Any]] = []
    """Tasks of killed processes. They must not be collected, because that would continue them."""

    def __init__(self) -> None:
        self.lives = True
        self.lines: list[Line] = []
        self._context = copy_context()
        self._context.run(PROCESS.set, self)
        self._listeners: Any = _InOrder()
        self._singletons: list[tuple[Any, Any]] = [
            (memory, RoomMemory()),
            (process, Named()),
            (snapshots.cache, _empty(snapshots.cache)),
            (storage, Storage()),
            (reading, ReadState()),
            (source, TimeSource()),
            (writer._writer, writer._Writer()),
            (committing._connection, committing._Connection()),
            (connection_limiter, ConnectionLimiter()),
            (hubs._hubs, WeakKeyDictionary()),
        ]
        """Global objects of modules, and the copies that belong to this process."""

    def enter(self) -> bool:
        """Switch all global objects to this process. Return False if the process was killed."""
        if self.lives and Process._inside is not self:
            Process._inside = self
            notifications._listeners = self._listeners
            for held, own in self._singletons:
                held.__dict__ = own.__dict__
        return self.lives

    @property
    def context(self) -> Context:
        """Return a context for callbacks that run in this process."""
        return self._context.copy()

    def connect(self, database: Any = None) -> Any:
        """Give this process a database connection, and return it.

        Otherwise, each task would open its own connection.
        """
        self._database = database or connections.create_connection(DEFAULT_DB_ALIAS)
        self._context.run(connections.__setitem__, DEFAULT_DB_ALIAS, self._database)
        return self._database

    def call(self, function: Callable[[], T]) -> T:
        """Call a function in this process, from outside."""
        before = PROCESS.get()
        self.enter()
        try:
            return self.context.run(function)
        finally:
            before.enter()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a task in this process."""
        loop = asyncio.get_running_loop()
        return loop.create_task(coroutine, context=self.context)

    def start(self) -> None:
        """Start the clock, the heartbeat and the hub."""
        self.run(self._serve())

    async def _serve(self) -> None:
        self._clock, self._bell = Clock(), asyncio.Event()
        notifications.subscribe(self._on_notification)
        hubs.hub()
        await asyncio.gather(self._tick(), self._beat())

    def kill(self) -> None:
        """End the process at once. What it has not committed is lost, as is its memory."""
        self.lives = False
        Process._graveyard += asyncio.all_tasks()
        self._database.close()
        for line in self.lines:
            line.break_off()

    async def _tick(self) -> None:
        """Run the clock as its thread does."""
        wake = self._clock._wake
        while True:
            wake.clear()
            self._bell.clear()
            seconds = self._clock.step()
            with suppress(TimeoutError):
                async with asyncio.timeout(0 if wake.is_set() else seconds):
                    await self._bell.wait()
            self._clock._next_check = FAR_AWAY

    def _on_notification(self, room_id: int, by_act: bool) -> None:
        self._clock._on_notification(room_id, by_act)
        if self._clock._wake.is_set():
            self._bell.set()

    async def _beat(self) -> None:
        """Run the heartbeat as its thread would."""
        beat = self._clock._heartbeat
        reading.watch()
        while True:
            beat.step()
            began, before = beat.began.is_set(), source.monotonic()
            await asyncio.sleep(heartbeat.INTERVAL if began else heartbeat.INTERVAL / 4)
            if source.monotonic() - before > heartbeat.INTERVAL + heartbeat.LATE:
                beat.hold_up()


class Server:
    """All processes of the server."""

    def __init__(self, processes: int, dice: Random, on_connection: Callable[[Any], None]) -> None:
        self._dice, self._on_connection = dice, on_connection
        _write_without_a_thread()
        self.processes: list[Process] = []
        for _ in range(processes):
            self._start()

    def _start(self) -> None:
        process = Process()
        self._on_connection(process.connect())
        self.processes.append(process)
        process.start()

    def pick(self) -> Process | None:
        """Return the process that accepts the next connection, if one is running."""
        return self._dice.choice(self.processes) if self.processes else None

    def kill(self, process: Process) -> None:
        """Kill a process. Another one starts in its place after a while."""
        process.kill()
        self.processes.remove(process)
        away = self._dice.choice((0.1, 1.0, self._dice.uniform(0, STARTS_WITHIN)))
        asyncio.get_running_loop().call_later(away, self._start, context=OUTSIDE.context)


class _InOrder(dict[Any, None]):
    """A set that keeps the order in which its members were added."""

    def add(self, one: Any) -> None:
        self[one] = None

    def discard(self, one: Any) -> None:
        self.pop(one, None)


def _empty(cache: BoundedCache[Any, Any]) -> BoundedCache[Any, Any]:
    """Return an empty cache like this one."""
    return BoundedCache(cache.most, cache._size_of, cache._parts_of)


def _write_without_a_thread() -> None:
    """Commit together the jobs requested in one turn of the loop.

    If a caller waits, commit at once.
    """
    at_hand = writer.Pending.result

    def write() -> None:
        if writer._writer._waiting:
            writer._writer.step()

    def result(self: Any, timeout: float | None = None) -> Any:
        while not self.done():
            writer._writer.step()
        return at_hand(self, 0)

    def begin(self: Any) -> None:
        asyncio.get_running_loop().call_soon(write)

    writer._Writer._ensure_running = begin  # type: ignore[method-assign]
    writer.Pending.result = result  # type: ignore[method-assign]


OUTSIDE = Process()
"""The users and the checks. They read the database, and share no memory with the server."""
