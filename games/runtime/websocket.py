"""WebSocket protocol for uvicorn, with a bounded receive queue and a fast path for sending frames.

The fast path writes all frames of one viewer at once, without waiting. With FAST_PATHS=0 or another
server, Channels' `send` sends frames one after another (docs/decisions/0120).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from games.sockets.outbox import WRITE  # imports no models: workers load it before Django

MOST = 200
"""Maximum frames in the queue, in addition to WS_BURST. uvicorn queues all frames of one chunk."""


class WebSocket(WebSocketsSansIOProtocol):
    """WebSocket protocol that adds the extension WRITE to the connection's scope."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if settings.FAST_PATHS and not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions[WRITE] = self.write_frames

    def send_receive_event_to_app(self) -> None:
        """Queue a received frame for the application.

        Close the connection if too many frames are waiting, unless there is no rate limit.
        """
        is_unlimited = not (settings.WS_RATE and settings.WS_BURST)
        if is_unlimited or self.close_sent or self.queue.qsize() < MOST + settings.WS_BURST:
            super().send_receive_event_to_app()
        else:
            self.conn.fail(4008)
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        """Close the connection, because the client has not answered a ping.

        If reading is paused, try again later, because a pong may be unread.
        """
        if self.read_paused:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def shutdown(self) -> None:
        """Close with code 1012. Raise no error if the connection is already closing, so that the
        other connections are closed too.
        """
        try:
            super().shutdown()
        except InvalidState:
            self.transport.close()

    def write_frames(self, frames: Sequence[str]) -> bool:
        """Write texts as frames at once, without waiting.

        Return False if they would have to wait, or if the connection is closed.
        """
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if self.conn.extensions or not self.writable.is_set():
            return False
        self.transport.write(b"".join(map(framed, frames)))
        return True


def framed(text: str) -> bytes:
    """Encode a text as one unmasked frame (RFC 6455, 5.2)."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload
