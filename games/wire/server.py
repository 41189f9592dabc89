"""What the server sends (docs/wire.md §4): answers, notifications, and events of matches.

`Event` holds a place for those of the games (`packets.games`).
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
    Commitment,
    Departure,
    Fairness,
    GameData,
    GameInfo,
    Id,
    Level,
    Part,
    Player,
    Reaction,
    Rejection,
    Sentence,
    Skip,
    Slug,
    TableVote,
    Token,
    Username,
    Visibility,
    VoteAbout,
)


class Sent(Part, frozen=True, tag=True):
    """Something the server sends; the tag is its class name, in the field `type`."""


class Answer(Sent, frozen=True, kw_only=True):
    """What may answer a packet with an `id`."""

    id: Id | UnsetType = UNSET
    """That of the packet this answers; absent where it had none."""


# Answers.


class GameCreated(Answer, frozen=True):
    """The room is open, and you are its host."""

    room: Code
    username: Username
    token: Token | UnsetType = UNSET
    """For a new guest: valid 30 days, in `JoinGame.token` or as Bearer."""


class GameJoined(Answer, frozen=True):
    """You are in the room."""

    room: Code
    username: Username
    token: Token | UnsetType = UNSET
    """For a new guest: valid 30 days, in `JoinGame.token` or as Bearer."""


class GameRejoined(Answer, frozen=True):
    """You are back in the room, under your name and in your seat."""

    room: Code
    username: Username


class PlayerJoinRejected(Answer, frozen=True):
    """You cannot come in."""

    reason: Rejection
    message: Sentence
    """The reason."""


class ActionFailed(Answer, frozen=True):
    """What you sent was wrong, or could have worked but did not. Nothing has changed."""

    code: Annotated[str, Meta(examples=["stale"])]
    """For programs: `bad_packet`, `stale`, `ignored`, or a code of the house or the game."""
    reason: Sentence


class Done(Answer, frozen=True):
    """It is done, and committed."""

    version: int | UnsetType = UNSET
    """Of a move: the number of its act."""


class GameDataSync(Answer, frozen=True):
    """The room and the match as they are now, with your own view.

    Comes after every act and every change of the room, and answers `GameDataRequest`.
    """

    data: GameData
    missed: Literal[True] | UnsetType = UNSET
    """You read too slowly, and this takes the place of what you were not sent. `LogRequest` tells
    the events of a match that were left out."""


class GameDataChanged(Sent, frozen=True):
    """What an act has changed of the data you were sent before.

    Comes instead of `GameDataSync` to who came in with `syncs: changes`, while nothing but acts is
    added. Put its fields over those you have, the entries of `players` by `username`, the fields of
    `view` by their names. After anything else, and when a match begins or ends, `GameDataSync`
    comes whole.
    """

    data: ChangedData


class Event(Sent, frozen=True):
    """Something that happened in a match; its `type` and more fields are the game's."""

    version: int
    """The number of the act it belongs to."""


class LoggedAct(Part, frozen=True):
    """An act as you were told it."""

    version: int
    events: tuple[Event, ...]


class Log(Answer, frozen=True):
    """Acts of the running or last match above the version asked for, 500 at most."""

    match_id: int | None
    acts: tuple[LoggedAct, ...]


# What comes unasked.


class Welcome(Sent, frozen=True, kw_only=True):
    """The first message: who you are, and which games there are."""

    protocol: Literal[1]
    username: Username | None
    """Null for who has no name yet."""
    games: tuple[GameInfo, ...]


class Invited(Sent, frozen=True):
    """A host invites you."""

    room: Code
    game: Slug
    from_: Username


class PlayerJoined(Sent, frozen=True):
    """Somebody, perhaps you, has come in."""

    player: Player


class PlayerChanged(Sent, frozen=True):
    """Somebody watches from now on, or plays the next match."""

    player: Player


class PlayerLeft(Sent, frozen=True):
    """Somebody, perhaps you, is gone."""

    username: Username
    reason: Departure


class PlayerConnection(Sent, frozen=True):
    """Somebody is shown as connected or not; the seat stays theirs."""

    username: Username
    connected: bool


class HostSet(Sent, frozen=True):
    """This member is host now."""

    username: Username


class OptionsSet(Sent, frozen=True):
    """The options as they are now."""

    options: Options


class GameSet(Sent, frozen=True):
    """The table goes on with this game: the room is open, with no match."""

    game: Slug
    options: Annotated[Mapping[str, Any], Meta(examples=[{"lives": 3}])]
    """The options as they are now: those of this game."""


class RoomSet(Sent, frozen=True):
    """Who can find the room, and whether a password is asked."""

    visibility: Visibility
    locked: bool


class GameStarted(Sent, frozen=True):
    """A match has begun."""

    match_id: int
    version: Literal[1]
    fairness: Commitment


class NewGameOpened(Sent, frozen=True):
    """Somebody who is not in the match has left for a new room. Others who are not in it are
    led there by `LeaveForNewGame`."""

    room: Code
    username: Username
    """Who has opened it."""


class TurnStart(Sent, frozen=True):
    """Somebody is on turn."""

    username: Username
    version: int


class TurnEnd(Sent, frozen=True):
    """Somebody's turn is over."""

    username: Username
    version: int


class Nudged(Sent, frozen=True):
    """A question without a clock has been given sixty seconds: by somebody here or by the house."""

    version: int


class Paused(Sent, frozen=True):
    """The host has paused the match: moves are refused (`paused`) until `Resumed`."""

    username: Username


class Resumed(Sent, frozen=True):
    """The match goes on, every clock where it stood."""


class SkipAsked(Skip, Sent, frozen=True, tag=True):
    """Somebody asks to skip ahead, or it is done."""


class VoteCalled(TableVote, Sent, frozen=True, tag=True):
    """Something is put to the vote: those who play answer by `CastVote`."""


class VoteCast(Sent, frozen=True):
    """Somebody has voted, or thought again."""

    username: Username
    yes: bool


class VoteChanged(TableVote, Sent, frozen=True, tag=True):
    """Voters have left, are away or out, or are back: others decide now, and as many as `needed`
    of them have to agree."""


class VoteEnded(Sent, frozen=True):
    """The vote is over; what it was about is done if it has passed."""

    about: VoteAbout
    passed: bool


class Reacted(Sent, frozen=True):
    """Somebody shows what they think. It is kept nowhere."""

    username: Username
    reaction: Reaction
    audience: Audience
    """`gallery`: not shown to those who play."""


class GameEnd(Sent, frozen=True, kw_only=True):
    """The match is over; the last packet of it."""

    version: int
    winners: tuple[Username, ...]
    places: tuple[tuple[Username, ...], ...]
    """Everybody who played, best first; who shares a place stands together."""
    reason: Annotated[str, Meta(examples=["last_alive"])]
    """The game's word for why; `aborted` where there is no result."""
    fairness: Fairness


class ShowAlert(Sent, frozen=True):
    """A sentence for a person to read."""

    level: Level
    message: Sentence


class NewChatMessageSent(ChatMessage, Sent, frozen=True, kw_only=True, tag=True):
    """Somebody has said something you may read."""


PACKETS: tuple[type[Sent], ...] = (
    Welcome,
    GameCreated,
    GameJoined,
    GameRejoined,
    PlayerJoinRejected,
    Invited,
    PlayerJoined,
    PlayerChanged,
    PlayerLeft,
    PlayerConnection,
    HostSet,
    OptionsSet,
    GameSet,
    RoomSet,
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
"""Everything but the events of the games."""
