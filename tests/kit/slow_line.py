"""A TCP proxy between browser and server that delays traffic and can go silently dead."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, cast


class SlowLine:
    """Listen on a free port of 127.0.0.1 (`url`) and forward everything to port `target`.

    `round_trip`: seconds for a byte and the response to it, half of this time in each direction.
    Opening a connection takes one round trip. As a context manager, this class runs an event loop
    in a thread.
    """

    def __init__(self, target: int, round_trip: float = 0.4) -> None:
        self.target, self.round_trip = target, round_trip
        self.ends: set[End] = set()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        listening = self.loop.create_server(lambda: Near(self), "127.0.0.1", 0)
        self._server = self._run(listening)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._run(self._close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)
        self.loop.close()

    def go_dead(self) -> None:
        """Swallow all further traffic of open connections: no FIN, no RST.

        Later connections work, as they do when a phone changes networks.
        """
        self.loop.call_soon_threadsafe(self._go_dead)

    def _go_dead(self) -> None:
        for end in self.ends:
            end.dead = True

    async def _close(self) -> None:
        self._server.close()
        for end in tuple(self.ends):
            end.transport.abort()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # let aborted transports run their callbacks

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)


class End(asyncio.Protocol):
    """One end of a connection. Its data reaches the other end after half a round trip."""

    def __init__(self, line: SlowLine, other: End | None = None) -> None:
        self.line, self.other, self.dead = line, other, False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.line.ends.add(self)

    def data_received(self, data: bytes) -> None:
        self._later(lambda other: other.transport.write(data))

    def connection_lost(self, exc: Exception | None) -> None:
        self.line.ends.discard(self)
        self._later(lambda other: other.transport.close())

    def _later(self, step: Callable[[End], None]) -> None:
        self.line.loop.call_later(self.line.round_trip / 2, self._now, step)

    def _now(self, step: Callable[[End], None]) -> None:
        if self.other is not None and not self.dead:
            step(self.other)


class Near(End):
    """The browser's end. It reads nothing until the other end is connected."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.pause_reading()
        self._opening = self.line.loop.create_task(self._open())

    async def _open(self) -> None:
        await asyncio.sleep(self.line.round_trip)
        far = lambda: End(self.line, self)  # noqa: E731
        _, self.other = await self.line.loop.create_connection(far, "127.0.0.1", self.line.target)
        self.transport.resume_reading()
