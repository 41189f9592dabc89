"""What a socket is sent goes out at once where that is possible, and always in order."""

from __future__ import annotations

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from games.protocol.framing import framed, texts_in
from games.sockets.outbox import MOST, Outbox


class Line:
    """A reader that keeps up, or stands still."""

    def __init__(self) -> None:
        self.open, self.sent, self.waited = True, list[str](), 0
        self.goes_on = asyncio.Event()

    def write(self, frames: bytes) -> bool:
        if self.open:
            self.sent += texts_in(frames)
        return self.open

    async def transmit(self, frame: str) -> None:
        self.waited += 1
        await self.goes_on.wait()
        self.sent.append(frame)


async def test_a_reader_that_keeps_up_needs_no_task() -> None:
    line = Line()
    outbox = Outbox(line.write, line.transmit)
    before = asyncio.all_tasks()
    assert outbox.put("a")
    assert outbox.put("b", "c")
    assert line.sent == ["a", "b", "c"]
    assert asyncio.all_tasks() == before
    await outbox.drained(20)


async def test_what_comes_after_something_that_waits_waits_too() -> None:
    line = Line()
    outbox = Outbox(line.write, line.transmit)
    line.open = False
    assert outbox.put("a")
    await asyncio.sleep(0)
    line.open = True
    assert outbox.put("b")
    assert line.sent == []
    line.goes_on.set()
    await outbox.drained(20)
    assert line.sent == ["a", "b"]
    assert outbox.put("c")
    assert (line.sent, line.waited) == (["a", "b", "c"], 2)


async def test_a_reader_that_stands_still_is_not_written_to_for_ever() -> None:
    line = Line()
    outbox = Outbox(line.write, line.transmit)
    line.open = False
    assert all(outbox.put("x") for _ in range(MOST))
    assert not outbox.put("x")
    await outbox.discard()


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_of_ours_is_one_of_the_library(length: int) -> None:
    text = "x" * length
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    assert frame == framed(text)


def test_frames_are_taken_apart_again_where_they_have_to_wait() -> None:
    texts = ["", "x", "é" * 70, "y" * 126, "z" * 70_000, "end"]
    assert texts_in(b"".join(map(framed, texts))) == texts
