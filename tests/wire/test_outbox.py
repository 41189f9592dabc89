"""Frames go out at once if possible, and always in order."""

from __future__ import annotations

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from games.sockets.outbox import MARK, MOST_BYTES, Outbox
from games.wire.framing import framed, texts_in


class Line:
    """A reader that keeps up, or stalls."""

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


async def test_at_most_a_mebibyte_waits_for_a_reader_that_stands_still() -> None:
    line = Line()
    outbox = Outbox(line.write, line.transmit)
    line.open = False
    text = "é" * (8 * 1024)  # two bytes each
    took = 0
    while outbox.put(text):
        took += 1
    assert took * 16 * 1024 <= MOST_BYTES < (took + 2) * 16 * 1024
    await outbox.discard()


async def test_updates_that_wait_are_replaced_by_one_whole_and_answers_are_kept() -> None:
    line, whole = Line(), "whole"
    outbox = Outbox(line.write, line.transmit, lambda: outbox.put_update(framed(whole)))
    line.open = False
    update = framed("u" * 1000)
    for number in range(1000):
        outbox.put_update(update)
        if number % 100 == 0:
            assert outbox.put(f"answer {number}")
    assert outbox._bytes <= MARK + len(update)
    line.goes_on.set()
    await outbox.caught_up()
    kept = [text for text in line.sent if not text.startswith("u")]
    assert kept == [*(f"answer {number}" for number in range(0, 1000, 100)), whole]
    assert line.sent[-1] == whole
    line.open = True
    outbox.put_update(framed("goes on"))
    assert line.sent[-1] == "goes on"


async def test_a_whole_that_is_larger_than_the_mark_is_sent_once() -> None:
    line, whole = Line(), "w" * (2 * MARK)
    outbox = Outbox(line.write, line.transmit, lambda: outbox.put_update(framed(whole)))
    line.open = False
    for _ in range(MARK // 1000 + 2):
        outbox.put_update(framed("u" * 1000))
    line.goes_on.set()
    await outbox.caught_up()
    assert line.sent.count(whole) == 1


async def test_a_reader_that_is_gone_is_not_caught_up() -> None:
    async def broken(frame: str) -> None:
        raise OSError

    outbox = Outbox(lambda frames: False, broken, lambda: pytest.fail("Nobody reads this."))
    for _ in range(MARK // 1000 + 2):
        outbox.put_update(framed("u" * 1000))
    await outbox.caught_up()
    assert outbox._bytes == 0


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_of_ours_is_one_of_the_library(length: int) -> None:
    text = "x" * length
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    assert frame == framed(text)


def test_frames_are_taken_apart_again_where_they_have_to_wait() -> None:
    texts = ["", "x", "é" * 70, "y" * 126, "z" * 70_000, "end"]
    assert texts_in(b"".join(map(framed, texts))) == texts
