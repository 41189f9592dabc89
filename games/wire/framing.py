"""Encoding of the text frames that a server sends over a WebSocket (RFC 6455, 5.2)."""

from __future__ import annotations

TEXT = 0x81
"""First byte of an unfragmented text frame."""
SHORT, LONG = 126, 127
"""Values of the length byte that announce a length of two or of eight bytes."""


def framed(text: str) -> bytes:
    """Return a text as one frame."""
    payload = text.encode()
    return header(len(payload)) + payload


def header(length: int) -> bytes:
    """Return the frame header of a text of `length` bytes."""
    if length < SHORT:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


def texts_in(frames: bytes) -> list[str]:
    """Return the texts of frames that were encoded by this module."""
    texts, at = [], 0
    while at < len(frames):
        size, at = frames[at + 1], at + 2
        if size >= SHORT:
            bytes_of_size = 2 if size == SHORT else 8
            size, at = int.from_bytes(frames[at : at + bytes_of_size], "big"), at + bytes_of_size
        texts.append(frames[at : at + size].decode())
        at += size
    return texts
