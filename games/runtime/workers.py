"""Several server processes behind one port: `serve --workers N`.

This process accepts connections, looks at the first line without taking it from the socket, and
hands the connection itself over; it carries no data. All connections of one table go to the same
worker, which then has that table in memory. Any worker may serve any table and is right, only
slower: so nothing depends on where a connection goes, and a worker that dies is replaced.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import unquote
from zlib import crc32

log = logging.getLogger(__name__)

Begin = Callable[[int], Sequence[str]]
"""The command line of a worker, given the number of the socket it is handed connections through."""

CODE = re.compile(r"/(?:t|ws/table)/([A-Za-z0-9]+)/|[?&]room=([A-Za-z0-9]+)")
LOOKED_AT = 2048
"""So many bytes of a request are looked at; an address of ours is shorter."""
BETWEEN = 0.02
SETTLED = 5.0
"""A worker that has lived for so many seconds is no sign of a wrong setting when it ends."""
LONGEST_WAIT = 30.0
UNDECIDED = 2048
"""So many connections at most may have sent nothing yet; those that come then go anywhere."""


def code_in(line: bytes) -> str | None:
    """The code of the table that the first line of a request is about."""
    target = line.split(b" ", 2)[1:2]
    found = CODE.search(unquote(target[0].decode("latin-1"))) if target else None
    return (found[1] or found[2]).upper() if found else None


def worker_for(code: str, count: int) -> int:
    """Which of so many workers serves this table: always the same."""
    return crc32(code.encode()) % count


class Worker:
    """One server process, and the socket by which it is handed connections."""

    def __init__(self, begin: Begin) -> None:
        self._begin = begin
        self.started_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def start(self) -> None:
        """Begin the process. It is in a session of its own: Ctrl-C is for us to pass on."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self.process = subprocess.Popen(
                self._begin(theirs.fileno()), pass_fds=[theirs.fileno()], start_new_session=True
            )
        self._channel, self.started_at = ours, time.monotonic()

    def has_ended(self) -> bool:
        """Whether the process is gone; what waited for it in the channel is gone with it."""
        if self.process is None or self.process.poll() is None:
            return False
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        return True

    def hand_over(self, connection: socket.socket) -> bool:
        """Give it a connection; False where it is gone, or has not taken any for long."""
        if self._channel is None:
            return False
        try:
            return bool(socket.send_fds(self._channel, [b"c"], [connection.fileno()]))
        except OSError:
            return False

    def signal(self, which: int) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(which)


class Workers:
    """Accepts connections and shares them out among its workers, until it is told to stop."""

    def __init__(
        self, listener: socket.socket, count: int, begin: Begin, request_seconds: float = 10.0
    ) -> None:
        self.listener = listener
        self.workers = [Worker(begin) for _ in range(count)]
        self._patience = request_seconds
        self._turn = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """From the loop's thread: take no more connections, and let the workers stop."""
        self._stopped.set()

    async def run(self, stop_seconds: float) -> None:
        """Serve until told to stop; return when all workers are gone, within `stop_seconds`."""
        self.listener.setblocking(False)
        for worker in self.workers:
            worker.start()
        watching = [asyncio.create_task(self._watch(worker)) for worker in self.workers]
        accepting = asyncio.create_task(self._accept())
        await self._stopped.wait()
        for task in (accepting, *watching, *self._tasks):
            task.cancel()
        self.listener.close()
        await self._end(stop_seconds)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self.listener)
            except OSError as error:  # too many open files: others will close some
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
        """The beginning of what was sent, which stays to be read; None where nothing comes."""
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
            await asyncio.sleep(BETWEEN)  # it stays readable, for nothing is taken
        return None

    def _hand_over(self, connection: socket.socket, code: str | None) -> None:
        """To the worker of this table, else to any; where none takes it, it is closed."""
        count = len(self.workers)
        first = next(self._turn) if code is None else worker_for(code, count)
        with connection:
            any(self.workers[(first + n) % count].hand_over(connection) for n in range(count))

    async def _watch(self, worker: Worker) -> None:
        """Replace a worker that has ended, later each time where it ends at once."""
        wait = 0.0
        while True:
            await asyncio.sleep(0.1)
            if not worker.has_ended():
                continue
            assert worker.process is not None
            log.warning("a worker has ended (%s); another begins", worker.process.returncode)
            soon = time.monotonic() - worker.started_at < SETTLED
            wait = min(LONGEST_WAIT, wait * 2 or 0.5) if soon else 0.0
            await asyncio.sleep(wait)
            worker.start()

    async def _end(self, seconds: float) -> None:
        for worker in self.workers:
            worker.signal(signal.SIGTERM)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not all(w.has_ended() for w in self.workers):
            await asyncio.sleep(BETWEEN)
        for worker in self.workers:
            if not worker.has_ended():
                worker.signal(signal.SIGKILL)


async def _readable(connection: socket.socket, seconds: float) -> bool:
    """Wait until something can be read; False where nothing came in time."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(connection, tell)
    try:
        await asyncio.wait_for(ready, max(0, seconds))
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(connection)
    return True
