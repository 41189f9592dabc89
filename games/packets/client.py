"""What a client may send besides a game's moves (design/wire.md 3), and how frames are read."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.packets import server
from games.packets.claims import ChatClaim
from games.packets.parts import Code, Id, Slug, Token
from games.wire import BadPacket

Lang = Annotated[str, Meta(max_length=35, examples=["en", "de"])]
Name = Annotated[str, Meta(max_length=200, examples=["ann", "bob", "eve"])]
Password = Annotated[str, Meta(max_length=100, examples=["swordfish"])]
Visibility = Literal["public", "unlisted", "invited"]
LARGEST = 2**31 - 1
"""No version and no prompt goes beyond what every database keeps as a number."""


class Packet(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, tag=True):
    """Something a client sends; the tag is its class name, in the field `type`.

    `who` may send it, in words; anybody else's is passed over. `answers` is what its `id` gets
    (`ActionFailed` besides), `tells` what all at the table are sent by it.
    """

    who: ClassVar[str] = "member"
    answers: ClassVar[tuple[type[server.Answer], ...]] = (server.Done,)
    tells: ClassVar[tuple[type[server.Sent], ...]] = ()


class HostGame(Packet, frozen=True, kw_only=True):
    """Opens a room and makes you its host."""

    who = "anybody who is in no room with this connection"
    answers = (server.GameCreated, server.PlayerJoinRejected)
    tells = (server.PlayerJoined, server.HostSet)

    game: Slug
    username: Name | None = None
    """Who has no name yet becomes a guest of this name."""
    options: dict[str, Any] = {}
    """Those of the game; what is not named has its default."""
    visibility: Visibility = "public"
    password: Password = ""
    """What others have to know; empty: nothing."""
    invite: tuple[Name, ...] = ()
    """User names of registered people."""
    lang: Lang = "en"
    """Language of the sentences you are sent; English where it is not offered here."""


class JoinGame(Packet, frozen=True, kw_only=True):
    """Comes into a room, or back into it. During play one watches, but for late join."""

    who = "anybody who is in no room with this connection"
    answers = (server.GameJoined, server.GameRejoined, server.PlayerJoinRejected)
    tells = (server.PlayerJoined,)

    room: Code
    username: Name | None = None
    """Who has no name yet becomes a guest of this name."""
    token: Token | None = None
    """Of a guest who comes back."""
    password: Password = ""
    spectate: bool = False
    """Only to watch."""
    lang: Lang = "en"
    """Language of the sentences you are sent; English where it is not offered here."""


class LeaveGame(Packet, frozen=True):
    """Leaves the room for good, and the seat with it."""

    tells = (server.PlayerLeft,)


class GameDataRequest(Packet, frozen=True):
    """Asks for the room and the match as they are. It is also sent unasked, after every act."""

    answers = (server.GameDataSync,)


class LogRequest(Packet, frozen=True):
    """Asks what happened in the running or last match, as you were told it."""

    answers = (server.Log,)

    since: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    """A version: acts above it are told, the first 500 of them."""


class SetOptions(Packet, frozen=True):
    """Changes options for the next match; those not named keep their values."""

    who = "host, while no match runs"
    tells = (server.OptionsSet,)

    options: dict[str, Any]


class SetRoom(Packet, frozen=True, kw_only=True):
    """Changes who can find the room and come in; what is not named stays."""

    who = "host"
    tells = (server.RoomSet,)

    visibility: Visibility | None = None
    password: Password | None = None
    """Empty: none is asked any more."""


class Invite(Packet, frozen=True):
    """Invites a registered person, who is sent `Invited` and asked for no password."""

    who = "host"

    username: Name


class SetHost(Packet, frozen=True):
    """Hands the room over to another person in it."""

    who = "host"
    tells = (server.HostSet,)

    username: Name


class SetSpectating(Packet, frozen=True):
    """Watches the next match, or plays it after all."""

    who = "member, while no match runs"
    tells = (server.PlayerChanged,)

    spectating: bool


class KickPlayer(Packet, frozen=True):
    """Sends somebody away, who cannot come back; during play, whoever is away or idle."""

    who = "host"
    tells = (server.PlayerLeft,)

    username: Name


class AddBot(Packet, frozen=True):
    """Seats one of the built-in bots."""

    who = "host, while no match runs"
    tells = (server.PlayerJoined,)

    level: Annotated[str, Meta(examples=["normal"])] | None = None
    """One of `botLevels` in `Welcome`; null: the best."""


class StartGame(Packet, frozen=True):
    """Starts a match of everybody who does not only watch, in order of joining."""

    who = "host, while no match runs"
    tells = (server.GameStarted,)


class PlayAgain(Packet, frozen=True):
    """`StartGame` by another name."""

    who = "host, while no match runs"
    tells = (server.GameStarted,)


class Nudge(Packet, frozen=True):
    """Gives a question that has no clock sixty seconds."""

    who = "host, or who plays when the question has stood for 2 minutes; in a match without clock"
    tells = (server.Nudged,)


class SetNonce(Packet, frozen=True):
    """Your own part in the luck of the next match alone; after it a new one is needed.

    Without one, yours follows from the committed `serverSeed`.
    """

    who = "member, while no match runs"

    nonce: Annotated[str, Meta(min_length=1, max_length=64, examples=["my own luck"])]


class SendNewChatMessage(Packet, frozen=True, kw_only=True):
    """Says something to those at the table; who watches is read by who watches."""

    who = "member who is not muted"
    tells = (server.NewChatMessageSent,)

    message: Annotated[str, Meta(examples=["I would never lie to you."])]
    """1 to 500 characters after trimming."""
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
    id: Id | UnsetType = UNSET
    """Yours to choose; the one answer to this packet bears it."""
    prompt: Annotated[int, Meta(ge=0, le=LARGEST)] | UnsetType = UNSET
    """In a move: that of the sync you answer. Once it is old, the move is refused as `stale`."""


_envelope = msgspec.json.Decoder(Envelope)
_plain = msgspec.json.Decoder(dict[str, Any])


def read(text: str) -> tuple[Envelope, dict[str, Any]]:
    """A frame as its envelope and the rest of it. Raise BadPacket, with an `id` it can see."""
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise BadPacket("A packet has at most 16 KiB.", _id_of_long(text))
    try:
        body = _plain.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadPacket(f"This is no packet: {error}.") from None
    try:
        envelope = msgspec.convert(body, Envelope)
    except msgspec.ValidationError as error:
        raise BadPacket(f"This is no packet: {error}.", _id_in(body)) from None
    if holds_nul(body):
        raise BadPacket("A packet holds no NUL characters.", envelope.id)
    body.pop("id", None)
    body.pop("prompt", None)
    return envelope, body


def _id_of_long(text: str) -> Any:
    """The `id` of a packet that is too long to be read whole: whoever waits for it is answered."""
    try:
        return _envelope.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return UNSET


def _id_in(body: dict[str, Any]) -> Any:
    """The `id` of a packet that is wrong otherwise; UNSET where it is no id either."""
    given = body.get("id", UNSET)
    return given if isinstance(given, str | int | float) and not isinstance(given, bool) else UNSET


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


def read_platform(body: dict[str, Any]) -> Platform:
    """A packet of the house. Raise BadPacket, naming the field."""
    try:
        packet: Platform = msgspec.convert(body, Platform)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None
    return packet
