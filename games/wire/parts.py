"""Types used in several packets: named strings and parts.

`Player`, `View` and `core.Options` are placeholders for types that differ per game.
`games.wire.games` derives the actual types of each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from games.contract.core import Options
from games.wire.claims import Claimed

Username = Annotated[
    str,
    Meta(
        title="Username",
        description="A person or bot at the table.",
        examples=["ann", "bob", "eve"],
    ),
]
Code = Annotated[
    str,
    Meta(
        title="RoomCode",
        description="Identifies a room.",
        max_length=40,
        examples=["K7QX2"],
    ),
]
Moment = Annotated[
    str,
    Meta(
        title="Moment",
        description="Time in UTC.",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        examples=["2026-11-20T12:00:03.250Z"],
    ),
]
Hash = Annotated[
    str,
    Meta(
        title="Hash",
        description="32 bytes in lower-case hex.",
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        examples=["5f" * 32, "0c" * 32, "e1" * 32],
    ),
]
Rated = Annotated[
    Literal[
        "yes",
        "off",
        "lesson",
        "bot",
        "guest",
        "new",
        "options",
        "slow",
        "few",
        "repeat",
        "stopped",
        "given",
        "void",
    ],
    Meta(
        title="Rated",
        description="Whether a match is rated (`yes`), or why not (docs/ratings.md).",
    ),
]
Slug = Annotated[
    str, Meta(title="Slug", description="Identifies a game.", max_length=40, examples=["mia"])
]
Token = Annotated[
    str,
    Meta(title="Token", description="Proves who you are.", max_length=200, examples=["Zk3vXo9q"]),
]
Sentence = Annotated[
    str,
    Meta(
        title="Sentence",
        description="Text for people, in the requested language.",
        examples=["Too late: somebody was faster."],
    ),
]
Id = Annotated[
    str | int | float,
    Meta(title="Id", description="Matches an answer to the packet it answers.", examples=[7]),
]
Choice = Annotated[str, Meta(examples=["5,3", "5,4"])] | int | bool
"""A username if the argument is a player."""


def _of(*words: str) -> Meta:
    """Return metadata that restricts a string to these words in the schema. The type stays `str`,
    because the values come from database rows and refusals.
    """
    return Meta(extra_json_schema={"enum": list(words)})


Status = Annotated[str, _of("playing", "open", "finished", "closed")]
Visibility = Annotated[str, _of("public", "unlisted", "invited")]
Departure = Annotated[str, _of("left", "kicked", "idle", "disconnected", "banned", "closed")]
Audience = Annotated[str, _of("table", "gallery")]
Rejection = Annotated[
    str,
    _of(
        "InvalidRoom",
        "UsernameTaken",
        "UsernameTooLong",
        "UsernameInvalid",
        "WrongPassword",
        "NotInvited",
        "RoomFull",
        "BadToken",
        "Kicked",
        "Banned",
        "LoginRequired",
        "UsernameEmpty",
        "UsernameLookalike",
        "UsernameMarks",
        "UsernameReserved",
        "UsernameBlocked",
        "UsernameRemoved",
        "UsernameOneWord",
        "TooManyWatching",
    ),
]
Level = Literal["info", "warning", "error"]
Syncs = Literal["whole", "changes"]
VoteAbout = Literal["pause", "resume", "end", "bot", "host", "game", "seat", "remove"]
Reaction = Literal["laugh", "gasp", "doubt", "cool", "cry", "angry", "clap", "heart"]


class Part(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base class of types used inside packets."""


class Commitment(Part, frozen=True):
    """The server's commitment to the random numbers of a match, published before it starts."""

    commitment: Hash
    """The SHA-256 of `serverSeed`, in hex."""
    list_: Hash | UnsetType = UNSET
    """The list of shares with which the running match has begun. Absent for luck of version 1."""
    secrets: tuple[Hash | None, ...] | UnsetType = UNSET
    """The secrets with which it has begun, in seat order. Null for a silent seat."""


class Nonce(Part, frozen=True):
    """One player's contribution to the random seed of a match. If the player sent none, it is
    derived from `serverSeed`: HMAC-SHA256 over the word `nonce` and the seat as one byte, in hex.
    """

    username: Username
    nonce: Annotated[str, Meta(max_length=64, examples=["my own luck"])]


class ShareOnList(Part, frozen=True):
    """A seat on the list of shares."""

    username: Username
    share: Hash | None
    """Null for a silent seat."""


class Mixing(Part, frozen=True, kw_only=True):
    """The luck of the next match, which is being mixed (docs/fairness.md)."""

    list_: Hash | None
    """Hash of the list. Null while the server waits for shares."""
    seats: tuple[ShareOnList, ...]
    """The players of the next match, in seat order."""


class VoidList(Part, frozen=True, kw_only=True):
    """A list of shares that could not be completed."""

    list_: Hash
    missing: tuple[Username, ...]
    """The players who did not open their shares in time."""
    gone: tuple[Username, ...] | UnsetType = UNSET
    """The players who have left or have another name now. If absent, `missing` contains them."""


class LuckSeat(Part, frozen=True, kw_only=True):
    """What a seat added to the luck of a match. Share and secret are null for a silent seat."""

    username: Username | None
    """Null if the name has changed since the match began."""
    share: Hash | None
    secret: Hash | None


class StartFairness(Part, frozen=True, kw_only=True):
    """What everybody at the table agreed on before a match began (docs/fairness.md)."""

    commitment: Hash
    """The SHA-256 of `serverSeed`, as shown before the match."""
    luck: Literal[2] | UnsetType = UNSET
    """Version of the luck. Absent for version 1, like the fields below."""
    list_: Hash | UnsetType = UNSET
    """Hash of the list of shares."""
    code: Annotated[str, Meta(examples=["5AU-D47R"])] | UnsetType = UNSET
    """Short form of all this, which is the same for everybody at the table."""
    seats: tuple[LuckSeat, ...] | UnsetType = UNSET
    """In seat order."""


class Fairness(StartFairness, frozen=True, kw_only=True):
    """All values needed to recompute the random numbers of a finished match."""

    server_seed: Hash
    """32 bytes in hex."""
    nonces: tuple[Nonce, ...] | UnsetType = UNSET
    """Version 1: what the players added, in seat order."""
    seed: Hash
    """All draws are derived from it."""


class Player(Part, frozen=True, kw_only=True):
    """A human or bot at the table. Seats in a running match also have the game's public facts."""

    username: Username
    join_time: Moment | None
    """Null if this player has left, but the seat is still in the match."""
    seat: int | None
    in_game: bool
    """Holds a seat in the running match and has not given it up."""
    is_spectator: bool
    """Watches, or is out of the match."""
    is_bot: bool
    is_guest: bool
    connected: bool


class Member(Player, frozen=True, kw_only=True):
    """A member without a seat in a running match: before or after a match, or watching."""

    seat: None


class Gone(Part, frozen=True):
    """The author of a message who has left the room."""

    username: Username


class ChatMessage(Part, frozen=True, kw_only=True):
    """A chat message."""

    message: Annotated[str, Meta(examples=["I would never lie to you."])]
    player: Player | Gone
    timestamp: Moment
    audience: Audience
    """`gallery`: hidden from those who play."""
    claim: Claimed | UnsetType = UNSET


class Outcome(Part, frozen=True, kw_only=True):
    """How a match ended."""

    winners: tuple[Username, ...]
    places: tuple[tuple[Username, ...], ...]
    """Everybody who played, best first. Players who share a place are grouped."""
    points: Mapping[Username, int] | None
    """Null in games without points."""
    reason: Annotated[str, Meta(examples=["last_alive"])]
    """Reason code of the game; `aborted` if the match has no result."""
    fairness: Fairness


class OneOf(Part, frozen=True):
    """Exactly one of these values."""

    one_of: tuple[Choice, ...]


class Some(Part, frozen=True, kw_only=True):
    """Between `least` and `most` different values out of these."""

    some: tuple[Choice, ...]
    least: int
    most: int
    ordered: bool
    """Whether their order matters."""


class Offer(Part, frozen=True, kw_only=True):
    """A move that may be made now, with any combination of the values of its arguments."""

    move: Annotated[str, Meta(examples=["Announce"])]
    """The `type` of the packet to send."""
    args: Mapping[Annotated[str, Meta(examples=["dice"])], OneOf | Some]
    """Arguments not listed are absent from the packet."""
    risky: bool
    """Loses or costs something at once: avoid it without a reason."""


class View(Part, frozen=True):
    """A match as one viewer may see it. The fields differ per game."""


class GameInfo(Part, frozen=True, kw_only=True):
    """A game that this server offers."""

    slug: Slug
    name: Annotated[str, Meta(examples=["Mia"])]
    """Display name of the game."""
    min_players: int
    max_players: int
    bot_levels: tuple[Annotated[str, Meta(examples=["easy", "normal"])], ...]
    options: Mapping[str, Any]
    """JSON Schema of the options, with defaults and ranges."""


class Skip(Part, frozen=True):
    """Requests to skip ahead in a match in which only bots are left."""

    by: tuple[Username, ...]
    """Members present who ask."""
    needed: int
    """Number of members required. The host alone is enough."""
    granted: bool
    """Bots now move without delay."""


class PausedBy(Part, frozen=True):
    """The pause of a match: the host who paused it, and the time."""

    by: Username | None
    """Null if that user's data has been deleted since."""
    since: Moment


class TableVote(Part, frozen=True, kw_only=True):
    """A vote of the table.

    `pause` or `resume` the match, `end` it without a result, let a `bot` play on for an absent
    player, choose a new `host` or the next `game`, give the `seat` of an absent player to another
    member, or `remove` a player from the table.
    """

    about: VoteAbout
    by: Username | None
    """The member who called the vote. Null if that user's data has been deleted since."""
    username: Username | None
    """The member concerned, for `bot`, `host`, `seat` and `remove`."""
    heir: Username | UnsetType | None = UNSET
    """With `seat`: who gets the seat of the absent `username`. The host and the heir have no
    vote."""
    game: Slug | None
    """The next game, with `game`."""
    voters: tuple[Username, ...]
    """The voters: those who played when the vote began and are still present."""
    yes: tuple[Username, ...]
    no: tuple[Username, ...]
    needed: int
    """Number of yes votes required: more than half of the voters."""
    until: Moment
    """The vote fails if `needed` is not reached by then."""


class GameData(Part, frozen=True, kw_only=True):
    """A room and its match as one viewer may see them."""

    game_id: Code
    """The code of the room."""
    game: Slug
    options: Options
    status: Status
    game_started: bool
    visibility: Visibility
    locked: bool
    """Whether joining requires a password."""
    rated: Rated
    """Of the running match, or of the next one with the players who are here now."""
    allows_udp: bool
    game_host: Username | None
    you: Username | None
    match_id: int | None
    """The running or last match. Null before the first."""
    version: int | None
    """Version of the newest act of the match."""
    prompt: int | None
    """Number of your question, to be sent with the move. Null if you have no seat or are out."""
    awaited: tuple[Username, ...]
    """Players the clock is waiting for."""
    turn: Username | None
    """Null if nobody has the turn."""
    next: Username | None
    turn_count: int
    """Number of turns begun. Kept after the last turn; 0 before the first match."""
    turn_order: tuple[Username, ...]
    deadline: Moment | None
    """Null without a clock."""
    seconds_left: float | None
    awaited_from: Moment | UnsetType = UNSET
    """While pages show what happened: when an answer is expected. `deadline` counts from then. You
    may answer earlier. Absent if nothing is shown, for example if only programs play."""
    fairness: Commitment
    """For the running match, otherwise for the next."""
    players: tuple[Player, ...]
    """In seat order, then spectators by time of joining."""
    view: View | None
    """Null before the first match."""
    offers: tuple[Offer, ...]
    """All moves you may make now. Any offer with any allowed values is legal."""
    chat: tuple[ChatMessage, ...] | UnsetType = UNSET
    """The last 50 messages you may read. Only in the sync that answers joining or
    `GameDataRequest`."""
    standings: Mapping[Username, int]
    """Matches won in this room (UDP room: points), including names that have left."""
    evening: Mapping[Username, int]
    """Score over all games played in this room. Each match gives a player one point for everybody
    who finished behind. Empty before the first result."""
    outcome: Outcome | None
    """Null until the match is over."""
    paused: PausedBy | UnsetType = UNSET
    """While the match is paused: `deadline` is null, `secondsLeft` stops, `offers` is empty."""
    skip: Skip | UnsetType = UNSET
    """Present while only bots are left in the match and somebody has asked to skip ahead."""
    vote: TableVote | UnsetType = UNSET
    """Present while a vote is open."""
    mixing: Mixing | UnsetType = UNSET
    """Present between a start and the beginning of its match. See `RevealLuck`."""
    luck_voids: tuple[VoidList, ...] | UnsetType = UNSET
    """Lists of the newest start that are void (`LuckVoid`), for those who come back."""
    parked: str | UnsetType = UNSET
    """Present while this server cannot read the running match: a sentence that says so. The match
    is kept unchanged, `view` is null and moves are refused (`parked`). It continues by itself."""


class ChangedData(Part, frozen=True, kw_only=True):
    """The fields of `GameData` that have changed. A field that is now absent is null."""

    version: int
    prompt: int | UnsetType | None = UNSET
    awaited: tuple[Username, ...] | UnsetType = UNSET
    turn: Username | UnsetType | None = UNSET
    next: Username | UnsetType | None = UNSET
    turn_count: int | UnsetType = UNSET
    turn_order: tuple[Username, ...] | UnsetType = UNSET
    deadline: Moment | UnsetType | None = UNSET
    seconds_left: float | UnsetType | None = UNSET
    awaited_from: Moment | UnsetType | None = UNSET
    players: tuple[Player, ...] | UnsetType = UNSET
    """Only the players that have changed. The order is unchanged."""
    view: Mapping[str, Any] | UnsetType = UNSET
    """Only the fields of the view that have changed."""
    offers: tuple[Offer, ...] | UnsetType = UNSET
    outcome: Outcome | UnsetType | None = UNSET
    paused: PausedBy | UnsetType | None = UNSET
    skip: Skip | UnsetType | None = UNSET
