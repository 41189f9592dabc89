"""HTTP/1.1 protocol for uvicorn, with timeouts.

Clients that do not finish a request, or do not read the response, are disconnected.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

BYTES_A_SECOND = 1024
"""Bytes of a request body that extend the request's deadline by one second."""


class PatientH11(H11Protocol):
    """HTTP protocol that aborts requests and responses that make no progress.

    A request has REQUEST_SECONDS to complete. Each BYTES_A_SECOND of its body adds a second, but
    the deadline is never more than REQUEST_SECONDS ahead, so a fast body cannot stall for hours
    later.
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
        """Run the timer while a request is incomplete."""
        upgraded = self.transport.get_protocol() is not self
        complete = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        if complete or upgraded or self.transport.is_closing():
            self._stop_waiting()
        elif self._timer is None:
            self._deadline = self.loop.time() + settings.REQUEST_SECONDS
            self._timer = self.loop.call_at(self._deadline, self._on_deadline)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_deadline(self) -> None:
        """Abort at the deadline, unless more of the body has arrived or the server has paused
        reading.
        """
        self._timer = None
        if self.flow.read_paused:
            self._wait_for_request()
        elif self.conn.their_state is h11.SEND_BODY and self._deadline > self.loop.time():
            self._timer = self.loop.call_at(self._deadline, self._on_deadline)
        else:
            self._give_up()

    def _give_up(self) -> None:
        self.transport.abort()
