"""What a socket is sent, in order: at once where the line takes it, else as soon as it does."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from games.protocol.framing import framed, texts_in

MOST = 500
"""So many frames may wait for a reader that does not keep up."""
GONE = (OSError, RuntimeError)
"""How servers say that the other end of a socket went before us."""


class Outbox:
    """Frames on their way to one reader.

    `write` takes what is ready for the line (`games.protocol.framing`) without waiting, or says
    that it cannot (False); `transmit` waits. A task runs only while frames wait: most sockets never
    need one.
    """

    def __init__(
        self, write: Callable[[bytes], bool], transmit: Callable[[str], Awaitable[None]]
    ) -> None:
        self._write, self._transmit = write, transmit
        self._waiting: deque[str] | None = None
        self._sending: asyncio.Task[None] | None = None

    def put(self, *texts: str) -> bool:
        """Send texts after those before them; False where too many wait already."""
        return self.put_frames(b"".join(map(framed, texts)))

    def put_frames(self, frames: bytes) -> bool:
        """The same for texts that are frames already."""
        if self._waiting is None:
            if self._write(frames):
                return True
            self._waiting = deque()
            self._sending = asyncio.get_running_loop().create_task(self._send(self._waiting))
        if len(self._waiting) >= MOST:
            return False
        self._waiting += texts_in(frames)
        return True

    async def drained(self, patience: float) -> None:
        """Wait until everything has gone out, at most so many seconds."""
        if self._sending is not None:
            await asyncio.wait([self._sending], timeout=patience)

    async def discard(self) -> None:
        """Stop sending: nobody reads any more."""
        if self._sending is not None:
            self._sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sending

    async def _send(self, waiting: deque[str]) -> None:
        try:
            with contextlib.suppress(*GONE):
                while waiting:
                    await self._transmit(waiting.popleft())
        finally:
            self._waiting = self._sending = None
