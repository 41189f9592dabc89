"""Frames are sent in order, and a slow reader's queue is limited in bytes."""

from __future__ import annotations

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from games.runtime.websocket import framed
from games.sockets.outbox import MARK, MOST_BYTES, Outbox


class Line:
    """A reader that keeps up, or stalls."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.goes_on = asyncio.Event()

    async def transmit(self, frame: str) -> None:
        await self.goes_on.wait()
        self.sent.append(frame)


async def test_immediately_writable_frames_need_no_task() -> None:
    line, is_open = Line(), True
    outbox = Outbox(line.transmit, write=lambda frames: is_open and not line.sent.extend(frames))
    before = asyncio.all_tasks()
    assert outbox.put("a")
    assert outbox.put("b", "c")
    assert line.sent == ["a", "b", "c"]
    assert asyncio.all_tasks() == before
    is_open = False
    assert outbox.put("d")
    is_open = True
    assert outbox.put("e")
    line.goes_on.set()
    await outbox.drained(20)
    assert line.sent == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_custom_frame_encoding_matches_the_library(length: int) -> None:
    text = "x" * length
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    assert frame == framed(text)


async def test_queue_of_a_stalled_reader_is_limited_to_one_mebibyte() -> None:
    outbox = Outbox(Line().transmit)
    text = "x" * (16 * 1024)
    took = 0
    while outbox.put(text):
        took += 1
    assert took * 16 * 1024 <= MOST_BYTES < (took + 2) * 16 * 1024
    await outbox.discard()


async def test_queue_limit_counts_bytes_instead_of_characters() -> None:
    outbox = Outbox(Line().transmit)
    took = 0
    while outbox.put("🂡" * 4096):
        took += 1
    assert took * len(("🂡" * 4096).encode()) <= MOST_BYTES
    await outbox.discard()


async def test_queued_updates_are_replaced_by_a_snapshot_but_answers_are_kept() -> None:
    line, whole = Line(), "whole"
    outbox = Outbox(line.transmit, lambda: outbox.put_update([whole]))
    update = ["u" * 1000]
    for number in range(1000):
        outbox.put_update(update)
        if number % 100 == 0:
            assert outbox.put(f"answer {number}")
    assert outbox._bytes <= MARK + 1000
    line.goes_on.set()
    await outbox.caught_up()
    kept = [text for text in line.sent if not text.startswith("u")]
    assert kept == [*(f"answer {number}" for number in range(0, 1000, 100)), whole]
    assert line.sent[-1] == whole
    outbox.put_update(["goes on"])
    await outbox.caught_up()
    assert line.sent[-1] == "goes on"


async def test_snapshot_larger_than_the_watermark_is_sent_once() -> None:
    line, whole = Line(), "w" * (2 * MARK)
    outbox = Outbox(line.transmit, lambda: outbox.put_update([whole]))
    for _ in range(MARK // 1000 + 2):
        outbox.put_update(["u" * 1000])
    line.goes_on.set()
    await outbox.caught_up()
    assert line.sent.count(whole) == 1


async def test_disconnected_reader_gets_no_snapshot() -> None:
    async def broken(frame: str) -> None:
        raise OSError

    outbox = Outbox(broken, lambda: pytest.fail("Nobody reads this."))
    for _ in range(MARK // 1000 + 2):
        outbox.put_update(["u" * 1000])
    await outbox.caught_up()
    assert outbox._bytes == 0
