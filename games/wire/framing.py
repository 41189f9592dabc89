"""Text frames as a server sends them over a WebSocket (RFC 6455, 5.2), ready for the line."""

from __future__ import annotations

TEXT = 0x81
"""A text, all of it in this frame."""
SHORT, LONG = 126, 127
"""What stands where the length would, before one of two bytes or of eight."""


def framed(text: str) -> bytes:
    """A text as one frame."""
    payload = text.encode()
    return header(len(payload)) + payload


def header(length: int) -> bytes:
    """What stands before a text of so many bytes."""
    if length < SHORT:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


def texts_in(frames: bytes) -> list[str]:
    """The texts of frames that were made here."""
    texts, at = [], 0
    while at < len(frames):
        size, at = frames[at + 1], at + 2
        if size >= SHORT:
            bytes_of_size = 2 if size == SHORT else 8
            size, at = int.from_bytes(frames[at : at + bytes_of_size], "big"), at + bytes_of_size
        texts.append(frames[at : at + size].decode())
        at += size
    return texts
