"""Packets from the server (docs/wire.md §4): responses, notifications, and events of matches.

`Event` is a placeholder for the events of each game (`games.wire.games`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from games.contract.core import Options
from games.wire.parts import (
    Audience,
    ChangedData,
    ChatMessage,
    Code,
    Departure,
    Fairness,
    GameData,
    GameInfo,
    Hash,
    Id,
    Level,
    LuckSeat,
    Part,
    Player,
    Rated,
    Reaction,
    Rejection,
    Sentence,
    Skip,
    Slug,
    StartFairness,
    TableVote,
    Token,
    Username,
    Visibility,
    VoteAbout,
)


class Sent(Part, frozen=True, tag=True):
    """Base class of packets from the server. The field `type` holds the class name."""


class Answer(Sent, frozen=True, kw_only=True):
    """Base class of responses to a packet with an `id`."""

    id: Id | UnsetType = UNSET
    """The `id` of the packet this answers. Absent if it had none."""


# Answers.


class GameCreated(Answer, frozen=True):
    """The room is open, and you are its host."""

    room: Code
    username: Username
    token: Token | UnsetType = UNSET
    """For a new guest. Valid for 30 days, in `JoinGame.token` or as Bearer."""


class GameJoined(Answer, frozen=True):
    """You are in the room."""

    room: Code
    username: Username
    token: Token | UnsetType = UNSET
    """For a new guest. Valid for 30 days, in `JoinGame.token` or as Bearer."""


class GameRejoined(Answer, frozen=True):
    """You are back in the room, with your name and seat."""

    room: Code
    username: Username


class PlayerJoinRejected(Answer, frozen=True):
    """You cannot join the room."""

    reason: Rejection
    message: Sentence
    """The reason, as a sentence."""


class ActionFailed(Answer, frozen=True):
    """Your packet was invalid or could not be carried out. Nothing has changed."""

    code: Annotated[str, Meta(examples=["stale"])]
    """For programs: `bad_packet`, `stale`, `ignored`, or another code of the server or the game."""
    reason: Sentence


class Done(Answer, frozen=True):
    """Your packet was carried out and committed."""

    version: int | UnsetType = UNSET
    """For a move: the version of its act."""


class Seeking(Answer, frozen=True):
    """You are looking for a quick match. Sent again whenever `waiting` changes."""

    game: Slug
    waiting: int
    """Number of people who look for the same, including you."""
    wanted: int
    """Minimum number of players that suits you. A table opens once that many have waited for 8
    seconds, or as soon as `seats` are full."""


class GameDataSync(Answer, frozen=True):
    """The current state of the room and the match, with your own view.

    Sent after every act and every change of the room, and in response to `GameDataRequest`.
    """

    data: GameData
    missed: Literal[True] | UnsetType = UNSET
    """You read too slowly, so updates were dropped and replaced by this sync. `LogRequest` returns
    the dropped events of the match."""


class GameDataChanged(Sent, frozen=True):
    """The changes an act made to the data you were sent before.

    Sent instead of `GameDataSync` after acts if you joined with `syncs: changes`. Replace your
    fields with these, the entries of `players` by `username`, and the fields of `view` by name.
    After any other change, and when a match begins or ends, you receive a full `GameDataSync`.
    """

    data: ChangedData


class Event(Sent, frozen=True):
    """Something that happened in a match. The game defines the value of `type` and the other
    fields.
    """

    version: int
    """Version of the act it belongs to."""


class LoggedAct(Part, frozen=True):
    """An act, with the events you were sent."""

    version: int
    events: tuple[Event, ...]


class Log(Answer, frozen=True):
    """Acts of the running or last match after the requested version, at most 500."""

    match_id: int | None
    acts: tuple[LoggedAct, ...]


# Packets that the server sends without a request.


class Welcome(Sent, frozen=True, kw_only=True):
    """The first message: who you are, and the games of this server."""

    protocol: Literal[1]
    username: Username | None
    """Null if you have no name yet."""
    games: tuple[GameInfo, ...]


class Invited(Sent, frozen=True):
    """A host invites you."""

    room: Code
    game: Slug
    from_: Username


class Matched(Sent, frozen=True):
    """Others have been found. You are a member of this room: come with `JoinGame`."""

    room: Code
    game: Slug
    token: Token | UnsetType = UNSET
    """For a new guest. Valid for 30 days, in `JoinGame.token` or as Bearer."""


class TableStart(Sent, frozen=True):
    """You play at this table of the ladder. Come with `JoinGame`, on another connection."""

    room: Code
    game: Slug
    again: bool
    """You played there already when you sent `SetAvailable`, or you are back after you had left."""


class TableEnd(Sent, frozen=True):
    """You no longer play at this table of the ladder."""

    room: Code
    match: int | None
    """Id of its match. Null if there was none, because nobody came."""


class PlayerJoined(Sent, frozen=True):
    """Somebody, possibly you, has joined the room."""

    player: Player


class PlayerChanged(Sent, frozen=True):
    """A member has become a spectator, or a player of the next match."""

    player: Player


class PlayerLeft(Sent, frozen=True):
    """A member, possibly you, has left the room."""

    username: Username
    reason: Departure


class PlayerConnection(Sent, frozen=True):
    """A member is now shown as connected or disconnected. They keep their seat."""

    username: Username
    connected: bool


class HostSet(Sent, frozen=True):
    """This member is now the host."""

    username: Username


class OptionsSet(Sent, frozen=True):
    """The new options of the room."""

    options: Options


class GameSet(Sent, frozen=True):
    """The game for the next match has changed. The room is open and has no match."""

    game: Slug
    options: Annotated[Mapping[str, Any], Meta(examples=[{"lives": 3}])]
    """The current options of this game."""


class RoomSet(Sent, frozen=True):
    """The new rules for who can find the room, whether joining requires a password, and whether its
    matches are rated.
    """

    visibility: Visibility
    locked: bool
    rated: bool


class GameStarted(Sent, frozen=True):
    """A match has begun."""

    match_id: int
    version: Literal[1]
    fairness: StartFairness
    rated: Rated


class LuckVoid(Sent, frozen=True, kw_only=True):
    """A list of shares could not be completed, so nothing was drawn from it.

    The server reveals everything that it knew, and commits to another seed. Unless it gives up, it
    sends another list, on which the players named here are silent. If nobody is named, or more than
    three lists are void before a match begins, somebody may be choosing the luck.
    """

    list_: Hash
    server_seed: Hash
    missing: tuple[Username, ...]
    """Those who did not open their shares in time."""
    gone: tuple[Username, ...] | UnsetType = UNSET
    """Those who have left or were renamed. Without this field, `missing` lists them too."""
    seats: tuple[LuckSeat, ...]


class NewGameOpened(Sent, frozen=True):
    """A member who is not in the match has opened a new room and left for it.

    Others who are not in the match can follow with `LeaveForNewGame`.
    """

    room: Code
    username: Username
    """The member who opened it."""


class TurnStart(Sent, frozen=True):
    """A turn begins."""

    username: Username
    version: int


class TurnEnd(Sent, frozen=True):
    """A turn is over."""

    username: Username
    version: int


class Nudged(Sent, frozen=True):
    """A member or the server nudged: the question now has a limit of sixty seconds."""

    version: int


class Paused(Sent, frozen=True):
    """The host has paused the match: moves are refused (`paused`) until `Resumed`."""

    username: Username


class Resumed(Sent, frozen=True):
    """The match continues. Every clock keeps its remaining time."""


class SkipAsked(Skip, Sent, frozen=True, tag=True):
    """A member asks to skip ahead, or the request was granted."""


class VoteCalled(TableVote, Sent, frozen=True, tag=True):
    """A vote has been called. Players vote with `CastVote`."""


class VoteCast(Sent, frozen=True):
    """A member has voted or changed their vote."""

    username: Username
    yes: bool


class VoteChanged(TableVote, Sent, frozen=True, tag=True):
    """The set of voters has changed, and with it `needed`.

    Some voters have left, are away, are out or are back.
    """


class VoteEnded(Sent, frozen=True):
    """The vote is over. If it passed, it has been carried out."""

    about: VoteAbout
    passed: bool


class Reacted(Sent, frozen=True):
    """A member reacts. Reactions are not stored."""

    username: Username
    reaction: Reaction
    audience: Audience
    """`gallery`: hidden from those who play."""


class GameEnd(Sent, frozen=True, kw_only=True):
    """The match is over. This is the last packet about it."""

    version: int
    winners: tuple[Username, ...]
    places: tuple[tuple[Username, ...], ...]
    """Everybody who played, best first. Players who share a place are grouped."""
    reason: Annotated[str, Meta(examples=["last_alive"])]
    """Reason code of the game; `aborted` if the match has no result."""
    fairness: Fairness


class ShowAlert(Sent, frozen=True):
    """A message for the user to read."""

    level: Level
    message: Sentence


class NewChatMessageSent(ChatMessage, Sent, frozen=True, kw_only=True, tag=True):
    """A new chat message that you may read."""


PACKETS: tuple[type[Sent], ...] = (
    Welcome,
    GameCreated,
    GameJoined,
    GameRejoined,
    PlayerJoinRejected,
    Invited,
    Seeking,
    Matched,
    TableStart,
    TableEnd,
    PlayerJoined,
    PlayerChanged,
    PlayerLeft,
    PlayerConnection,
    HostSet,
    OptionsSet,
    GameSet,
    RoomSet,
    LuckVoid,
    GameStarted,
    NewGameOpened,
    GameDataSync,
    GameDataChanged,
    TurnStart,
    TurnEnd,
    Nudged,
    Paused,
    Resumed,
    SkipAsked,
    VoteCalled,
    VoteCast,
    VoteChanged,
    VoteEnded,
    Reacted,
    ActionFailed,
    ShowAlert,
    NewChatMessageSent,
    GameEnd,
    Log,
    Done,
)
"""All packets from the server except the events of the games."""
