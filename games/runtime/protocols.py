"""What our uvicorn speaks: HTTP that does not wait for ever, and sockets that send at once.

Of HTTP connections that do not get on, who finishes no request, or reads no answer, is cut off.
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
"""So much of a body earns a request another second."""


class PatientH11(H11Protocol):
    """HTTP protocol that cuts off requests and responses that make no progress.

    A request has REQUEST_SECONDS, and a body another second for each BYTES_A_SECOND, but never more
    than REQUEST_SECONDS in advance: a body that came quickly may not stop for hours before its end.
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
        """Start waiting where a request is not complete, and stop where one is."""
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
        """The time is over, unless more of a body has come; or it is we who did not read on."""
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
    """A WebSocket that takes text without waiting, where its reader keeps up.

    ASGI sends by a coroutine for each frame; ten viewers of a move are sent some twenty-five.
    """

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        event.headers.clear()  # the scope has them; the library would keep them to the end
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions[LINE], extensions[INBOX] = self.write_frames, self.fill

    def fill(self, inbox: Inbox) -> None:
        """From now on put what comes into this inbox, which the application empties by itself.

        uvicorn would stop reading at each frame until somebody asks for the next.
        """
        waiting: asyncio.Queue[Any] = self.queue
        self.queue = cast("asyncio.Queue[Any]", inbox)
        while not waiting.empty():
            inbox.put_nowait(waiting.get_nowait())
        if self.read_paused:
            self._read_on(True)
        self.read_paused = True  # as it is for uvicorn: so it does not stop by itself
        inbox.on_room = self._read_on

    def _read_on(self, has_room: bool) -> None:
        """Stop reading where too much waits already, and go on."""
        if self.transport.is_closing():
            return
        if has_room:
            self.transport.resume_reading()
        else:
            self.transport.pause_reading()

    def write_frames(self, frames: bytes) -> bool:
        """Send frames (`games.wire.framing`); False where they have to wait, or there is nobody
        to send them to."""
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if self.conn.extensions or not self.writable.is_set():
            return False
        self.transport.write(frames)
        return True
