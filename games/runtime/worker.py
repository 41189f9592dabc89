"""One worker process behind a shared port."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

Begin = Callable[[int], Sequence[str]]
"""Returns a worker's command line, given the file descriptor that connections are passed over."""

READY = b"r"
"""Byte that a worker sends when it is ready for connections."""
BETWEEN = 0.02


class Worker:
    """A worker process, and the socket that connections are passed to it over."""

    def __init__(self, begin: Begin, env: Mapping[str, str] | None = None) -> None:
        self._begin, self._env = begin, env
        self.started_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def start(self) -> None:
        """Start the process in its own session, so that Ctrl-C reaches only the parent."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self.process = subprocess.Popen(
                self._begin(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=self._env,
            )
        self._channel, self.started_at = ours, time.monotonic()

    async def is_ready(self, seconds: float) -> bool:
        """Wait until it is ready for connections. Return False if it ends or takes too long."""
        if self._channel is None:
            return False
        try:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(seconds):
                return await loop.sock_recv(self._channel, 1) == READY
        except (OSError, TimeoutError):
            return False

    async def end(self, seconds: float) -> None:
        """Send SIGTERM. Kill the process if it still runs after `seconds`."""
        self.signal(signal.SIGTERM)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.has_ended():
            await asyncio.sleep(BETWEEN)
        if not self.has_ended():
            await self.discard()

    async def discard(self) -> None:
        """Kill the process."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            await asyncio.to_thread(self.process.wait)
        self.has_ended()

    def has_ended(self) -> bool:
        """Whether the process has ended. If so, close the channel with the connections in it."""
        if self.process is None or self.process.poll() is None:
            return False
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        return True

    def hand_over(self, connection: socket.socket) -> bool:
        """Pass a connection to it. Return False if it has ended or its channel is full."""
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
