"""Several worker processes behind one port: `serve --workers N`.

This process accepts connections, peeks at the first line of the request, and passes the connection
to a worker. It carries no data. All connections of a table go to the same worker, which then has
that table in memory. Any other worker would serve it correctly too, only slower, so a worker that
dies is simply replaced.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import unquote
from zlib import crc32

from games.runtime.worker import BETWEEN, Begin, Worker

log = logging.getLogger(__name__)

CODE = re.compile(r"/(?:t|ws/table)/([A-Za-z0-9]+)/|[?&]room=([A-Za-z0-9]+)")
LOOKED_AT = 2048
"""Maximum bytes of a request that are read. Our URLs are shorter."""
SETTLED = 5.0
"""Seconds after which the end of a worker does not suggest a wrong setting."""
LONGEST_WAIT = 30.0
STARTS_WITHIN = 60.0
UNDECIDED = 2048
"""Maximum connections whose first line is awaited. Further ones go to any worker."""


def code_in(line: bytes) -> str | None:
    """Return the code of the table that the first line of a request names, if any."""
    target = line.split(b" ", 2)[1:2]
    found = CODE.search(unquote(target[0].decode("latin-1"))) if target else None
    return (found[1] or found[2]).upper() if found else None


def worker_for(code: str, count: int) -> int:
    """Return the index of the worker that serves this table. It is always the same."""
    return crc32(code.encode()) % count


class Workers:
    """Accepts connections and distributes them to its workers until it is stopped."""

    def __init__(
        self,
        listener: socket.socket,
        count: int,
        begin: Begin,
        request_seconds: float = 10.0,
        env: Mapping[str, str] | None = None,
        on_end: Callable[[int], None] = lambda pid: None,
    ) -> None:
        """Create `count` workers. `on_end` is called with the pid of each replaced worker."""
        self.listener = listener
        self._new = partial(Worker, begin, env)
        self.workers = [self._new() for _ in range(count)]
        self._on_end = on_end
        self._patience = request_seconds
        self._turn = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self._renewing: asyncio.Task[None] | None = None

    def renew(self) -> None:
        """Replace each worker by a new one, one at a time. Call it in the event loop's thread."""
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.get_running_loop().create_task(self._renew())

    def stop(self) -> None:
        """Stop accepting, and stop the workers. Call it in the event loop's thread."""
        self._stopped.set()

    async def run(self, stop_seconds: float) -> None:
        """Serve until stopped. Return when all workers have ended, within `stop_seconds`."""
        self.listener.setblocking(False)
        self._stop_seconds = stop_seconds
        for worker in self.workers:
            worker.start()
        watching = [asyncio.create_task(self._watch(at)) for at in range(len(self.workers))]
        accepting = asyncio.create_task(self._accept())
        await self._stopped.wait()
        renewing = (self._renewing,) if self._renewing else ()
        for task in (accepting, *watching, *renewing, *self._tasks):
            task.cancel()
        self.listener.close()
        await self._end(stop_seconds)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self.listener)
            except OSError as error:  # too many open files: others will be closed
                log.warning("no connection can be taken: %s", error)
                await asyncio.sleep(0.5)
                continue
            if len(self._tasks) >= UNDECIDED:
                self._hand_over(connection, None)
                continue
            task = loop.create_task(self._share_out(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _share_out(self, connection: socket.socket) -> None:
        with connection:
            line = await self._first_line(connection)
            if line is not None:
                self._hand_over(connection, code_in(line))

    async def _first_line(self, connection: socket.socket) -> bytes | None:
        """Return the first line without consuming it, or None if none arrives in time."""
        until = time.monotonic() + self._patience
        while time.monotonic() < until:
            try:
                seen = connection.recv(LOOKED_AT, socket.MSG_PEEK)
            except BlockingIOError:
                if not await _readable(connection, until - time.monotonic()):
                    return None
                continue
            except OSError:
                return None
            line, ended, _ = seen.partition(b"\r\n")
            if ended or len(seen) == LOOKED_AT:
                return line
            if not seen:
                return None
            await asyncio.sleep(BETWEEN)  # the socket stays readable, because nothing was consumed
        return None

    def _hand_over(self, connection: socket.socket, code: str | None) -> None:
        """Pass a connection to its table's worker, or else to any. Close it if none takes it."""
        count = len(self.workers)
        first = next(self._turn) if code is None else worker_for(code, count)
        with connection:
            any(self.workers[(first + n) % count].hand_over(connection) for n in range(count))

    async def _renew(self) -> None:
        """Replace the workers one by one, for new code or settings.

        An old worker is stopped only after its successor is ready. Its connections are closed with
        1012, and clients reconnect to the new one.
        """
        for at, old in enumerate(self.workers):
            new = self._new()
            new.start()
            try:
                if await new.is_ready(STARTS_WITHIN):
                    self.workers[at] = new
            finally:
                if self.workers[at] is not new:
                    await new.discard()
            if self.workers[at] is not new:
                log.error("a new worker does not start; the others go on as they are")
                return
            await old.end(self._stop_seconds)
            self._forget(old)
        log.warning("all workers are new")

    async def _watch(self, at: int) -> None:
        """Restart a worker that has ended, with a growing delay if it ends soon after its start."""
        wait = 0.0
        while True:
            await asyncio.sleep(0.1)
            worker = self.workers[at]
            if not worker.has_ended():
                continue
            assert worker.process is not None
            log.warning("a worker has ended (%s); another begins", worker.process.returncode)
            self._forget(worker)
            soon = time.monotonic() - worker.started_at < SETTLED
            wait = min(LONGEST_WAIT, wait * 2 or 0.5) if soon else 0.0
            await asyncio.sleep(wait)
            worker.start()

    def _forget(self, worker: Worker) -> None:
        if worker.process is not None:
            self._on_end(worker.process.pid)

    async def _end(self, seconds: float) -> None:
        await asyncio.gather(*(worker.end(seconds) for worker in self.workers))


async def _readable(connection: socket.socket, seconds: float) -> bool:
    """Wait until the socket is readable. Return False after `seconds`."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(connection, tell)
    try:
        await asyncio.wait([ready], timeout=max(0, seconds))
    finally:
        loop.remove_reader(connection)
    return ready.done()
