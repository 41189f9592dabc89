"""Ordered queue of outgoing frames. Frames are sent at once unless the connection is slow."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from games.wire.framing import framed, texts_in

MOST_BYTES = 1024 * 1024
"""Maximum bytes queued for a slow reader."""
MARK = 256 * 1024
"""Queued bytes above which updates are dropped. One full sync replaces them."""
GONE = (OSError, RuntimeError)
"""Exceptions that servers raise if the other end has closed the socket."""


def _nothing() -> None:
    pass


class Outbox:
    """Frames queued for one reader.

    `write` sends encoded frames (`games.wire.framing`) without waiting, and returns False if it
    cannot. `transmit` waits. A task runs only while frames are queued; most sockets never need one.

    Updates (`put_update`) can be replaced by a full sync, answers and alerts (`put`) cannot. If
    more than MARK bytes are queued, updates are dropped until everything else has been sent. Then
    `catch_up` is called once, and puts the full sync.
    """

    def __init__(
        self,
        write: Callable[[bytes], bool],
        transmit: Callable[[str], Awaitable[None]],
        catch_up: Callable[[], None] = _nothing,
    ) -> None:
        self._write, self._transmit, self._catch_up = write, transmit, catch_up
        self._waiting: deque[tuple[bytes, bool]] | None = None
        """Queued frames, each with whether it is an update."""
        self._bytes = 0
        """Bytes that are queued or being sent."""
        self._is_behind = False
        """Whether updates have been dropped."""
        self._sending: asyncio.Task[None] | None = None

    def put(self, *texts: str) -> bool:
        """Queue texts. Return False if too much is queued already."""
        return self._put(b"".join(map(framed, texts)), False)

    def put_update(self, frames: bytes) -> None:
        """Send frames that a full sync can replace."""
        if not self._is_behind:
            self._put(frames, True)

    def _put(self, frames: bytes, is_update: bool) -> bool:
        if self._waiting is None:
            if self._write(frames):
                return True
            self._waiting = deque()
            self._sending = asyncio.get_running_loop().create_task(self._send(self._waiting))
        size = self._bytes + len(frames)
        if is_update and self._bytes and size > MARK:
            self._drop_updates(self._waiting)
            return True
        if self._bytes and size > MOST_BYTES:
            return False
        self._waiting.append((frames, is_update))
        self._bytes = size
        return True

    async def caught_up(self) -> None:
        """Wait until the queue is empty."""
        while self._sending is not None:
            await asyncio.wait([self._sending])

    async def drained(self, patience: float) -> None:
        """Wait until everything has been sent, at most `patience` seconds."""
        if self._sending is not None:
            await asyncio.wait([self._sending], timeout=patience)

    async def discard(self) -> None:
        """Stop sending, because nobody reads any longer."""
        if self._sending is not None:
            self._sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sending

    def _drop_updates(self, waiting: deque[tuple[bytes, bool]]) -> None:
        self._is_behind = True
        kept = [one for one in waiting if not one[1]]
        self._bytes -= sum(len(frames) for frames, is_update in waiting if is_update)
        waiting.clear()
        waiting.extend(kept)

    async def _send(self, waiting: deque[tuple[bytes, bool]]) -> None:
        is_gone = True
        try:
            with contextlib.suppress(*GONE):
                while waiting:
                    frames, _is_update = waiting.popleft()
                    for text in texts_in(frames):
                        await self._transmit(text)
                    self._bytes -= len(frames)
                is_gone = False
        finally:
            self._waiting = self._sending = None
            self._bytes = 0
        if self._is_behind and not is_gone:
            self._is_behind = False
            self._catch_up()
