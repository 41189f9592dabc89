"""Parsing of client frames: the envelope, then a command or a move."""

from __future__ import annotations

import json
import re
from math import inf
from typing import Annotated, Any, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.wire.commands import LARGEST, PACKETS
from games.wire.declaration import Command
from games.wire.parts import Id
from games.wire.wire import BadPacket

PLATFORM = {packet.__name__ for packet in PACKETS}
"""Names of the packets that are not moves."""
MOST_BYTES = 16 * 1024
SHORT = MOST_BYTES // 4
"""Number of characters that never exceeds `MOST_BYTES` in UTF-8."""
HALF = "A text holds half of a surrogate pair: send whole characters."
_SURROGATE = re.compile("[\ud800-\udfff]")
NUL = "\\u0000"
"""The only way to write the NUL character in JSON."""
ESCAPE = "\\u"
"""Without it, a JSON text holds neither a NUL character nor half of a surrogate pair."""


class Envelope(Struct, frozen=True):
    """Fields that every packet has. The others depend on its type."""

    type: str
    id: Id | UnsetType = UNSET
    """Chosen by you. The one answer to this packet has the same `id`."""
    prompt: Annotated[int, Meta(ge=0, le=LARGEST)] | UnsetType = UNSET
    """Only in moves: the `prompt` of the sync you answer. An old one is refused as `stale`."""


_envelope = msgspec.json.Decoder(Envelope)
_plain = msgspec.json.Decoder(dict[str, Any])


def read(text: str) -> tuple[Envelope, dict[str, Any]]:
    """Return the envelope and the body of a frame. Raise BadPacket, with the packet's `id` if that
    can be read.
    """
    if is_too_long(text):
        raise BadPacket("A packet has at most 16 KiB.", _id_of_unread(text))
    try:
        body = _plain.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        found = lenient(text)
        if found is not None and holds_half(found):
            raise BadPacket(HALF, _id_in(found)) from None
        raise BadPacket(f"This is no packet: {error}.", _id_of_unread(text)) from None
    try:
        envelope = msgspec.convert(body, Envelope)
    except msgspec.ValidationError as error:
        raise BadPacket(f"This is no packet: {error}.", _id_in(body)) from None
    if NUL in text and holds_nul(body):
        raise BadPacket("A packet holds no NUL characters.", envelope.id)
    body.pop("id", None)
    body.pop("prompt", None)
    return envelope, body


def is_too_long(text: str) -> bool:
    """Whether a frame has more than MOST_BYTES in UTF-8."""
    return len(text) > SHORT and len(text.encode(errors="replace")) > MOST_BYTES


def _id_of_unread(text: str) -> Any:
    """Return the `id` of an unreadable packet, so that the sender still gets a response."""
    try:
        return _envelope.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        found = lenient(text)
        return UNSET if found is None else _id_in(found)


def _id_in(body: dict[str, Any]) -> Any:
    """Return the `id` of an invalid packet, or UNSET if the `id` is invalid too."""
    given = body.get("id", UNSET)
    if holds_half(given) or isinstance(given, bool) or given in (inf, -inf):
        return UNSET
    return given if isinstance(given, str | int | float) else UNSET


def lenient(text: str) -> dict[str, Any] | None:
    """Parse a JSON object with `json`, which also accepts halves of surrogate pairs. Return None if
    it cannot be parsed.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def holds_half(value: Any) -> bool:
    """Whether a string in this value contains half a surrogate pair, which UTF-8 cannot encode."""
    match value:
        case str():
            return _SURROGATE.search(value) is not None
        case dict():
            return any(holds_half(part) for item in value.items() for part in item)
        case list():
            return any(holds_half(part) for part in value)
        case _:
            return False


def holds_nul(value: Any) -> bool:
    """Whether a string in this value contains a NUL, which not every database can store."""
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(holds_nul(part) for item in value.items() for part in item)
        case list():
            return any(holds_nul(part) for part in value)
        case _:
            return False


def read_platform(body: dict[str, Any]) -> Command:
    """Return the command in a packet. Raise BadPacket with the name of the invalid field."""
    try:
        packet: Command = msgspec.convert(body, Union[PACKETS])  # noqa: UP007  (a union of a tuple)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None
    return packet
