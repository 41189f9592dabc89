"""The vocabulary of the wire (design/wire.md 3): what a client may send besides a game's moves."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.wire import BadPacket

Lang = Literal["en", "de"]
Name = Annotated[str, Meta(max_length=200)]
Visibility = Literal["public", "unlisted", "invited"]
LARGEST = 2**31 - 1
"""No version and no prompt goes beyond what every database keeps as a number."""


class Packet(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, tag=True):
    """Something a client sends; the tag is its class name, in the field `type`."""


class HostGame(Packet, frozen=True, kw_only=True):
    game: str
    username: Name | None = None
    options: dict[str, Any] = {}
    visibility: Visibility = "public"
    password: Annotated[str, Meta(max_length=100)] = ""
    invite: tuple[Name, ...] = ()
    lang: Lang = "en"


class JoinGame(Packet, frozen=True, kw_only=True):
    room: str
    username: Name | None = None
    token: str | None = None
    password: Annotated[str, Meta(max_length=100)] = ""
    spectate: bool = False
    lang: Lang = "en"


class LeaveGame(Packet, frozen=True):
    pass


class GameDataRequest(Packet, frozen=True):
    pass


class LogRequest(Packet, frozen=True):
    since: Annotated[int, Meta(ge=0, le=LARGEST)] = 0


class SetOptions(Packet, frozen=True):
    options: dict[str, Any]


class SetRoom(Packet, frozen=True, kw_only=True):
    visibility: Visibility | None = None
    password: Annotated[str, Meta(max_length=100)] | None = None


class Invite(Packet, frozen=True):
    username: Name


class SetHost(Packet, frozen=True):
    username: Name


class SetSpectating(Packet, frozen=True):
    spectating: bool


class KickPlayer(Packet, frozen=True):
    username: Name


class AddBot(Packet, frozen=True):
    level: str | None = None


class StartGame(Packet, frozen=True):
    pass


class PlayAgain(Packet, frozen=True):
    pass


class Nudge(Packet, frozen=True):
    pass


class SetNonce(Packet, frozen=True):
    nonce: Annotated[str, Meta(min_length=1, max_length=64)]


class ChatClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says they held (Secret Hitler)."""

    kind: str
    policies: tuple[str, ...]


class SendNewChatMessage(Packet, frozen=True, kw_only=True):
    message: str
    claim: ChatClaim | None = None


Platform = (
    HostGame
    | JoinGame
    | LeaveGame
    | GameDataRequest
    | LogRequest
    | SetOptions
    | SetRoom
    | Invite
    | SetHost
    | SetSpectating
    | KickPlayer
    | AddBot
    | StartGame
    | PlayAgain
    | Nudge
    | SetNonce
    | SendNewChatMessage
)
PLATFORM = frozenset(packet.__name__ for packet in get_args(Platform))
MOST_BYTES = 16 * 1024


class Envelope(Struct, frozen=True):
    """What stands around every packet; the rest is read by its type."""

    type: str
    id: str | int | float | UnsetType = UNSET
    prompt: Annotated[int, Meta(ge=0, le=LARGEST)] | UnsetType = UNSET


_envelope = msgspec.json.Decoder(Envelope)
_plain = msgspec.json.Decoder(dict[str, Any])


def read(text: str) -> tuple[Envelope, dict[str, Any]]:
    """A frame as its envelope and the rest of it. Raises BadPacket, with an `id` it can see."""
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise BadPacket("A packet has at most 16 KiB.")
    try:
        body = _plain.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadPacket(f"This is no packet: {error}.") from None
    try:
        envelope = msgspec.convert(body, Envelope)
    except msgspec.ValidationError as error:
        raise BadPacket(f"This is no packet: {error}.", _id_in(body)) from None
    if _holds_nul(body):
        raise BadPacket("A packet holds no NUL characters.", envelope.id)
    body.pop("id", None)
    body.pop("prompt", None)
    return envelope, body


def _id_in(body: dict[str, Any]) -> Any:
    """The `id` of a packet that is wrong otherwise; UNSET where it is no id either."""
    given = body.get("id", UNSET)
    return given if isinstance(given, str | int | float) and not isinstance(given, bool) else UNSET


def _holds_nul(value: Any) -> bool:
    """Whether a text in it has a character that not every database can keep."""
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(_holds_nul(part) for item in value.items() for part in item)
        case list():
            return any(_holds_nul(part) for part in value)
        case _:
            return False


def read_platform(body: dict[str, Any]) -> Platform:
    """A packet of the house. Raises BadPacket, naming the field."""
    try:
        packet: Platform = msgspec.convert(body, Platform)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None
    return packet
