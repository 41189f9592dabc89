"""Bounded, ordered queue of outgoing frames. When it is full, a full sync replaces updates."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from itertools import repeat

WRITE = "parlour.write"
"""ASGI extension: a function that sends frames without waiting (`games.runtime.websocket`)."""
MOST_BYTES = 1024 * 1024
"""Maximum bytes queued for a slow reader."""
MARK = 256 * 1024
"""Queued bytes above which updates are dropped. One full sync replaces them."""
GONE = (OSError, RuntimeError)
"""Exceptions that servers raise if the client has closed the socket."""


def _nothing() -> None:
    pass


class Outbox:
    """Frames queued for one reader. A task sends them, and runs only while frames are queued.

    `write` sends frames without waiting, or returns False if it cannot. In that case, or if there
    is no `write`, `transmit` sends them one after another.

    Updates (`put_update`) can be replaced by a full sync. Responses and alerts (`put`) cannot. If
    more than MARK bytes are queued, updates are dropped until everything else has been sent. Then
    `catch_up` is called once to queue the full sync.
    """

    def __init__(
        self,
        transmit: Callable[[str], Awaitable[None]],
        catch_up: Callable[[], None] = _nothing,
        write: Callable[[Sequence[str]], bool] | None = None,
    ) -> None:
        self._transmit, self._catch_up, self._write = transmit, catch_up, write
        self._waiting: deque[tuple[str, int, bool]] = deque()
        """Queued frames, each with its size in bytes and whether it is an update."""
        self._bytes = 0
        """Bytes that are queued or being sent."""
        self._is_behind = False
        """Whether updates have been dropped."""
        self._sending: asyncio.Task[None] | None = None

    def put(self, *frames: str) -> bool:
        """Queue frames. Return False if too much is queued already."""
        return self._put(frames, False)

    def put_update(self, frames: Sequence[str]) -> None:
        """Queue frames that a full sync can replace."""
        if not self._is_behind:
            self._put(frames, True)

    def _put(self, frames: Sequence[str], is_update: bool) -> bool:
        if not frames:
            return True
        if self._sending is None and self._write is not None and self._write(frames):
            return True
        sizes = [len(frame.encode()) for frame in frames]
        size = self._bytes + sum(sizes)
        if is_update and self._bytes and size > MARK:
            self._drop_updates()
            return True
        if self._bytes and size > MOST_BYTES:
            return False
        self._waiting.extend(zip(frames, sizes, repeat(is_update), strict=False))
        self._bytes = size
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send())
        return True

    async def caught_up(self) -> None:
        """Wait until the queue is empty."""
        while self._sending is not None:
            await asyncio.wait([self._sending])

    async def drained(self, patience: float) -> None:
        """Wait until everything has been sent, but at most `patience` seconds."""
        if self._sending is not None:
            await asyncio.wait([self._sending], timeout=patience)

    async def discard(self) -> None:
        """Stop sending, because the connection is no longer read."""
        if self._sending is not None:
            self._sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sending

    def _drop_updates(self) -> None:
        self._is_behind = True
        kept = [one for one in self._waiting if not one[2]]
        self._bytes -= sum(size for _frame, size, is_update in self._waiting if is_update)
        self._waiting.clear()
        self._waiting.extend(kept)

    async def _send(self) -> None:
        is_gone = True
        try:
            with contextlib.suppress(*GONE):
                while self._waiting:
                    frame, size, _is_update = self._waiting.popleft()
                    await self._transmit(frame)
                    self._bytes -= size
                is_gone = False
        finally:
            self._waiting.clear()
            self._sending = None
            self._bytes = 0
        if self._is_behind and not is_gone:
            self._is_behind = False
            self._catch_up()
