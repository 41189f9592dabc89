"""One server process behind a shared port, and the socket by which it is handed connections."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

Begin = Callable[[int], Sequence[str]]
"""The command line of a worker, given the number of the socket it is handed connections through."""

READY = b"r"
"""What a worker says through its socket when it takes connections."""
BETWEEN = 0.02


class Worker:
    """One server process, and the socket by which it is handed connections."""

    def __init__(self, begin: Begin, env: Mapping[str, str] | None = None) -> None:
        self._begin, self._env = begin, env
        self.started_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def start(self) -> None:
        """Begin the process. It is in a session of its own: Ctrl-C is for us to pass on."""
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
        """Wait until it says that it takes connections; False where it ends, or takes too long."""
        if self._channel is None:
            return False
        try:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(seconds):
                return await loop.sock_recv(self._channel, 1) == READY
        except (OSError, TimeoutError):
            return False

    async def end(self, seconds: float) -> None:
        """Let it stop, as at SIGTERM; end it where it has not after so many seconds."""
        self.signal(signal.SIGTERM)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.has_ended():
            await asyncio.sleep(BETWEEN)
        if not self.has_ended():
            await self.discard()

    async def discard(self) -> None:
        """End it at once."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            await asyncio.to_thread(self.process.wait)
        self.has_ended()

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
