"""Protocols of our uvicorn: HTTP with timeouts, and WebSockets that send without waiting.

HTTP clients that do not finish a request, or do not read the response, are disconnected.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from games.sockets.connections import INBOX, LINE
from games.sockets.inbox import Inbox

BYTES_A_SECOND = 1024
"""Bytes of a request body that extend its deadline by one second."""


class PatientH11(H11Protocol):
    """HTTP protocol that aborts requests and responses that make no progress.

    A request has REQUEST_SECONDS. Each BYTES_A_SECOND of its body adds a second, but the deadline
    is never more than REQUEST_SECONDS ahead, so a fast body cannot stall for hours later.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        latest = self.loop.time() + settings.REQUEST_SECONDS
        self._deadline = min(self._deadline + len(data) / BYTES_A_SECOND, latest)
        super().data_received(data)
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._read_timer is None:
            self._read_timer = self.loop.call_later(settings.REQUEST_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None
        super().resume_writing()

    def _wait_for_request(self) -> None:
        """Start the timer if a request is incomplete, and stop it if one is complete."""
        upgraded = self.transport.get_protocol() is not self
        complete = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        if complete or upgraded or self.transport.is_closing():
            self._stop_waiting()
        elif self._timer is None:
            self._deadline = self.loop.time() + settings.REQUEST_SECONDS
            self._timer = self.loop.call_at(self._deadline, self._look)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Abort at the deadline, unless more of a body has come or we have paused reading."""
        self._timer = None
        if self.flow.read_paused:
            self._wait_for_request()
        elif self.conn.their_state is h11.SEND_BODY and self._deadline > self.loop.time():
            self._timer = self.loop.call_at(self._deadline, self._look)
        else:
            self._give_up()

    def _give_up(self) -> None:
        self.transport.abort()


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that sends text without waiting if its reader keeps up.

    ASGI needs a coroutine per frame, and a move with ten viewers takes about 25 frames.
    """

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        event.headers.clear()  # the scope has them; the library would keep a second copy
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions[LINE], extensions[INBOX] = self.write_frames, self.fill

    def fill(self, inbox: Inbox) -> None:
        """Put received messages into this inbox from now on.

        uvicorn would stop reading after each frame until the application asks for the next.
        """
        waiting: asyncio.Queue[Any] = self.queue
        self.queue = cast("asyncio.Queue[Any]", inbox)
        while not waiting.empty():
            inbox.put_nowait(waiting.get_nowait())
        if self.read_paused:
            self._read_on(True)
        self.read_paused = True  # uvicorn then never pauses reading itself
        inbox.on_room = self._read_on

    def _read_on(self, has_room: bool) -> None:
        """Pause reading if the inbox is full, and resume if it has room."""
        if self.transport.is_closing():
            return
        if has_room:
            self.transport.resume_reading()
        else:
            self.transport.pause_reading()

    def write_frames(self, frames: bytes) -> bool:
        """Send frames (`games.wire.framing`) without waiting.

        Return False if they would have to wait, or if the connection is closed.
        """
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if self.conn.extensions or not self.writable.is_set():
            return False
        self.transport.write(frames)
        return True
