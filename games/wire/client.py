"""How a client's frames are read: the envelope, then a command, or a move."""

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
"""The packets that are no moves."""
MOST_BYTES = 16 * 1024
SHORT = MOST_BYTES // 4
"""So many characters are never too many bytes."""
HALF = "A text holds half of a surrogate pair: send whole characters."
_SURROGATE = re.compile("[\ud800-\udfff]")
NUL = "\\u0000"
"""How JSON writes the character; there is no other way."""


class Envelope(Struct, frozen=True):
    """What stands around every packet; the rest is read by its type."""

    type: str
    id: Id | UnsetType = UNSET
    """Yours to choose; the one answer to this packet bears it."""
    prompt: Annotated[int, Meta(ge=0, le=LARGEST)] | UnsetType = UNSET
    """In a move: that of the sync you answer. Once it is old, the move is refused as `stale`."""


_envelope = msgspec.json.Decoder(Envelope)
_plain = msgspec.json.Decoder(dict[str, Any])


def read(text: str) -> tuple[Envelope, dict[str, Any]]:
    """A frame as its envelope and the rest of it. Raise BadPacket, with an `id` it can see."""
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
    """The `id` of a packet that cannot be read whole: anyone who waits for it is answered."""
    try:
        return _envelope.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        found = lenient(text)
        return UNSET if found is None else _id_in(found)


def _id_in(body: dict[str, Any]) -> Any:
    """The `id` of a packet that is wrong otherwise; UNSET where it is no id either."""
    given = body.get("id", UNSET)
    if holds_half(given) or isinstance(given, bool) or given in (inf, -inf):
        return UNSET
    return given if isinstance(given, str | int | float) else UNSET


def lenient(text: str) -> dict[str, Any] | None:
    """Read an object as Python does: also one that holds halves of surrogate pairs."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def holds_half(value: Any) -> bool:
    """Whether a text in it has half of a surrogate pair: no UTF-8 can be made of that."""
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
    """Whether a text in it has a character that not every database can keep."""
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
    """A packet of the house. Raise BadPacket, naming the field."""
    try:
        packet: Command = msgspec.convert(body, Union[PACKETS])  # noqa: UP007  (a union of a tuple)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None
    return packet
