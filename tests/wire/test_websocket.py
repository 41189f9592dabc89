"""The WebSocket protocol class limits the number of queued frames."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.protocol import State

from games.runtime.websocket import MOST, WebSocket


class Held(WebSocket):
    """A protocol without a connection. It records whether it was ended."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()
        self.frames: list[bytes] = []
        self.curr_msg_data_type = "text"
        self.close_sent, self.read_paused, self.conn = False, True, self
        self.state, self.code = State.OPEN, 0

    def fail(self, code: int) -> None:
        self.code = code

    def handle_parser_exception(self) -> None:
        self.close_sent = True

    def arrive(self, count: int) -> None:
        """Receive `count` frames in one chunk."""
        for _ in range(count):
            self.frames = [b"x"]
            self.send_receive_event_to_app()


@pytest.mark.parametrize(("burst", "kept", "code"), [("40", MOST + 40, 4008), ("0", 300, 0)])
async def test_chunk_of_too_many_frames_closes_the_connection_if_limited(
    settings: Any, burst: str, kept: int, code: int
) -> None:
    settings.WS_BURST = int(burst)
    held: Any = Held()
    held.arrive(300)
    assert (held.queue.qsize(), held.code) == (kept, code)
