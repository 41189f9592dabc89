"""The server of an evening: its writer, clock and heartbeat, without threads."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from games.engine import notifications, writer
from games.engine.reachable import reading
from games.runtime import heartbeat
from games.runtime.clock import FAR_AWAY, Clock
from games.sockets.hub import hub


class Server:
    """A server that runs in the event loop of the evening."""

    def __init__(self) -> None:
        _write_without_a_thread()
        notifications._listeners = _InOrder()  # type: ignore[assignment]
        self._clock, self._bell = Clock(), asyncio.Event()
        notifications.subscribe(self._on_notification)
        hub()
        self.running = asyncio.gather(self._tick(), self._beat())

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
            self._clock._looks_at = FAR_AWAY

    def _on_notification(self, room_id: int) -> None:
        self._clock._on_notification(room_id)
        if self._clock._wake.is_set():
            self._bell.set()

    async def _beat(self) -> None:
        """Run the heartbeat as its thread would."""
        beat = self._clock._heartbeat
        reading.watch()
        while True:
            beat.step()
            began = beat.began.is_set()
            await asyncio.sleep(heartbeat.INTERVAL if began else heartbeat.INTERVAL / 4)


class _InOrder(dict[Any, None]):
    """A set that keeps the order in which its members were added."""

    def add(self, one: Any) -> None:
        self[one] = None

    def discard(self, one: Any) -> None:
        self.pop(one, None)


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
