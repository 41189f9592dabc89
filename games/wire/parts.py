"""What packets are made of: words with a meaning, and the parts that stand in several packets.

Where a game has types of its own, `Player`, `View` and `core.Options` hold a place for them:
`packets.games` says what stands there in a room of that game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from games.contract.core import Options
from games.wire.claims import Claimed

Username = Annotated[
    str,
    Meta(title="Username", description="Somebody at the table.", examples=["ann", "bob", "eve"]),
]
Code = Annotated[
    str,
    Meta(
        title="RoomCode",
        description="What a room is found by.",
        max_length=40,
        examples=["K7QX2"],
    ),
]
Moment = Annotated[
    str,
    Meta(
        title="Moment",
        description="A time in UTC.",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        examples=["2026-11-20T12:00:03.250Z"],
    ),
]
Hash = Annotated[
    str,
    Meta(
        title="Hash",
        description="32 bytes in lower-case hex.",
        pattern="^[0-9a-f]{64}$",
        examples=["5f" * 32, "0c" * 32, "e1" * 32],
    ),
]
Slug = Annotated[
    str, Meta(title="Slug", description="Names a game.", max_length=40, examples=["mia"])
]
Token = Annotated[
    str,
    Meta(title="Token", description="Proves who you are.", max_length=200, examples=["Zk3vXo9q"]),
]
Sentence = Annotated[
    str,
    Meta(
        title="Sentence",
        description="For people, in the language asked for.",
        examples=["Too late: somebody was faster."],
    ),
]
Id = Annotated[
    str | int | float,
    Meta(title="Id", description="What ties an answer to a packet.", examples=[7]),
]
Choice = Annotated[str, Meta(examples=["5,3", "5,4"])] | int | bool
"""A username where the argument is somebody."""


def _of(*words: str) -> Meta:
    """One of these words. Plain text to the type checker: they come from rows and refusals."""
    return Meta(extra_json_schema={"enum": list(words)})


Status = Annotated[str, _of("playing", "open", "finished", "closed")]
Visibility = Annotated[str, _of("public", "unlisted", "invited")]
Departure = Annotated[str, _of("left", "kicked", "idle", "disconnected", "banned", "closed")]
Audience = Annotated[str, _of("table", "gallery")]
Rejection = Annotated[
    str,
    _of(
        *("InvalidRoom", "UsernameTaken", "UsernameTooLong", "UsernameInvalid", "WrongPassword"),
        *("NotInvited", "RoomFull", "BadToken", "Kicked", "Banned", "LoginRequired"),
        *("UsernameEmpty", "UsernameLookalike", "UsernameMarks", "UsernameReserved"),
        *("UsernameBlocked", "UsernameRemoved", "UsernameOneWord", "TooManyWatching"),
    ),
]
Level = Literal["info", "warning", "error"]
Syncs = Literal["whole", "changes"]
VoteAbout = Literal["pause", "resume", "end", "bot", "host", "game", "seat", "remove"]
Reaction = Literal["laugh", "gasp", "doubt", "cool", "cry", "angry", "clap", "heart"]


class Part(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of packets."""


class Commitment(Part, frozen=True):
    """What the server has bound itself to before a match."""

    commitment: Hash
    """The SHA-256 of `serverSeed`, in hex."""


class Nonce(Part, frozen=True):
    """What one player has put into the luck of a match, or what follows for its seat from
    `serverSeed`: HMAC-SHA256 over `nonce` and the seat as one byte, in hex."""

    username: Username
    nonce: Annotated[str, Meta(max_length=64, examples=["my own luck"])]


class Fairness(Part, frozen=True, kw_only=True):
    """Everything the luck of a finished match can be recomputed from."""

    commitment: Hash
    """The SHA-256 of `serverSeed`, as shown before the match."""
    server_seed: Hash
    """32 bytes in hex."""
    nonces: tuple[Nonce, ...]
    """By seat."""
    seed: Hash
    """HMAC-SHA256 over the nonces; all luck comes from it."""


class Player(Part, frozen=True, kw_only=True):
    """Somebody at the table. A seat in a running match has the game's public facts besides."""

    username: Username
    join_time: Moment | None
    """Null for who has left, while the seat is still in the match."""
    seat: int | None
    in_game: bool
    """Holds a seat in the running match and has not given it up."""
    is_spectator: bool
    """Watches, or is out."""
    is_bot: bool
    is_guest: bool
    connected: bool


class Member(Player, frozen=True, kw_only=True):
    """Somebody without a seat in a running match: before it, after it, or watching."""

    seat: None


class Gone(Part, frozen=True):
    """The author of a message who is not here any more."""

    username: Username


class ChatMessage(Part, frozen=True, kw_only=True):
    """Something said at the table."""

    message: Annotated[str, Meta(examples=["I would never lie to you."])]
    player: Player | Gone
    timestamp: Moment
    audience: Audience
    """`gallery`: not read by those who play."""
    claim: Claimed | UnsetType = UNSET


class Outcome(Part, frozen=True, kw_only=True):
    """How a match ended."""

    winners: tuple[Username, ...]
    places: tuple[tuple[Username, ...], ...]
    """Everybody who played, best first; who shares a place stands together."""
    points: Mapping[Username, int] | None
    """Null in games without points."""
    reason: Annotated[str, Meta(examples=["last_alive"])]
    """The game's word for why; `aborted` where there is no result."""
    fairness: Fairness


class OneOf(Part, frozen=True):
    """Exactly one of these values."""

    one_of: tuple[Choice, ...]


class Some(Part, frozen=True, kw_only=True):
    """Between `least` and `most` different ones of these values."""

    some: tuple[Choice, ...]
    least: int
    most: int
    ordered: bool
    """Whether their order means something."""


class Offer(Part, frozen=True, kw_only=True):
    """A move that may be made now, each value of one argument with each of the others."""

    move: Annotated[str, Meta(examples=["Announce"])]
    """The `type` of the packet to send."""
    args: Mapping[Annotated[str, Meta(examples=["dice"])], OneOf | Some]
    """What is not listed is absent from the packet."""
    risky: bool
    """Better not taken without a reason."""


class View(Part, frozen=True):
    """What one viewer may know of a match: each game has its own fields."""


class GameInfo(Part, frozen=True, kw_only=True):
    """A game that can be played here."""

    slug: Slug
    name: Annotated[str, Meta(examples=["Mia"])]
    """To be shown to people."""
    min_players: int
    max_players: int
    bot_levels: tuple[Annotated[str, Meta(examples=["easy", "normal"])], ...]
    options: Mapping[str, Any]
    """A JSON Schema, with defaults and ranges."""


class Skip(Part, frozen=True):
    """That people ask to skip ahead in a match that only bots are still in."""

    by: tuple[Username, ...]
    """Those who ask and are here."""
    needed: int
    """So many are enough, if the host is not among them."""
    granted: bool
    """Bots take no time any more."""


class PausedBy(Part, frozen=True):
    """Who has paused the match, and since when."""

    by: Username | None
    """Null for somebody who has been forgotten since."""
    since: Moment


class TableVote(Part, frozen=True, kw_only=True):
    """Something the table decides: `pause` or `resume` the match, `end` it without a result, have
    a `bot` play on for somebody absent, a new `host`, the `game` that is played next, or another
    person in the `seat` of somebody absent."""

    about: VoteAbout
    by: Username | None
    """Who has called it; null for somebody who has been forgotten since."""
    username: Username | None
    """The person concerned, for `bot`, `host`, `seat` and `remove`."""
    heir: Username | UnsetType | None = UNSET
    """With `seat`, who gets the seat of `username`, who is absent. The host and the heir do not
    vote on it."""
    game: Slug | None
    """With `game`."""
    voters: tuple[Username, ...]
    """Who can vote: those who played when it began and are still there."""
    yes: tuple[Username, ...]
    no: tuple[Username, ...]
    needed: int
    """How many have to agree: more than half of the voters."""
    until: Moment
    """Without that many by then, it has failed."""


class GameData(Part, frozen=True, kw_only=True):
    """A room and its match as one viewer may know them."""

    game_id: Code
    """The code of the room."""
    game: Slug
    options: Options
    status: Status
    game_started: bool
    visibility: Visibility
    locked: bool
    """Whether a password is asked."""
    allows_udp: bool
    game_host: Username | None
    you: Username | None
    match_id: int | None
    """The running or last match; null before the first."""
    version: int | None
    """The number of its newest act."""
    prompt: int | None
    """The question put to you, to be sent with the move; null for who has no seat or is out."""
    awaited: tuple[Username, ...]
    """Whom the clock is waiting for."""
    turn: Username | None
    """Null where nobody is on turn."""
    next: Username | None
    turn_count: int
    """Rises with every turn that begins, and stays after the last; 0 before the first match."""
    turn_order: tuple[Username, ...]
    deadline: Moment | None
    """Null without a clock."""
    seconds_left: float | None
    awaited_from: Moment | UnsetType = UNSET
    """While people are shown what has happened: from when on an answer is expected, for `deadline`
    counts from then. Nobody has to wait for it. Absent where nothing is shown, as among programs
    alone."""
    fairness: Commitment
    """For the running match, else for the next."""
    players: tuple[Player, ...]
    """In seat order, then those who watch, by time of joining."""
    view: View | None
    """Null before the first match."""
    offers: tuple[Offer, ...]
    """Everything you may do in the match now. Any of it, with any allowed values, is legal."""
    chat: tuple[ChatMessage, ...] | UnsetType = UNSET
    """The last 50 messages you may read: only in the sync that answers joining or
    `GameDataRequest`."""
    standings: Mapping[Username, int]
    """Won matches (with UDP: points) in this room, names that left included."""
    evening: Mapping[Username, int]
    """The score over all games played in this room: for each match a point for everybody who
    finished behind. Empty before the first result."""
    outcome: Outcome | None
    """Null until the match is over."""
    paused: PausedBy | UnsetType = UNSET
    """While the match is paused: `deadline` is null, `secondsLeft` stands, nothing is offered."""
    skip: Skip | UnsetType = UNSET
    """While only bots are still in the match, and somebody has asked to skip ahead."""
    vote: TableVote | UnsetType = UNSET
    """While the table votes."""
    parked: str | UnsetType = UNSET
    """While this server cannot read the running match: a sentence that says so. The match is kept
    as it is, `view` is null, moves are refused (`parked`), and it goes on by itself."""


class ChangedData(Part, frozen=True, kw_only=True):
    """The fields of `GameData` that are not what they were; null also for one that is absent
    now."""

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
    """Those about whom anything has changed; the others, and the order, are as they were."""
    view: Mapping[str, Any] | UnsetType = UNSET
    """The fields of the view that are not what they were."""
    offers: tuple[Offer, ...] | UnsetType = UNSET
    outcome: Outcome | UnsetType | None = UNSET
    paused: PausedBy | UnsetType | None = UNSET
    skip: Skip | UnsetType | None = UNSET
