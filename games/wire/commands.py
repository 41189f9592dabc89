"""Declarations of all commands that users and programs can send at a table.

Each command is a class (`games.wire.declaration`). The following are derived from it:

* the JSON packet, its schema and its documentation
* the form on a page (`games.sockets.command_forms`)
* the method of the client library (`games.wire.library`)
* the check in the writer thread (`games.rooms.authorization`)

A function marked `@carries_out` executes it. Moves are declared by each game.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from games.wire import server
from games.wire.claims import ChatClaim
from games.wire.declaration import Command, When, Who
from games.wire.parts import Code, Hash, Reaction, Slug, Syncs, Token, VoteAbout

Lang = Annotated[str, Meta(max_length=35, examples=["en", "de"])]
Name = Annotated[str, Meta(max_length=200, examples=["ann", "bob", "eve"])]
Password = Annotated[str, Meta(max_length=100, examples=["swordfish"])]
Visibility = Literal["public", "unlisted", "invited"]
LARGEST = 2**31 - 1
"""Maximum version, prompt or row id: the largest integer that every database can store."""
Seats = Annotated[int, Meta(ge=1, le=100)]
Row = Annotated[int, Meta(ge=0, le=LARGEST)]
BotLevel = Annotated[str, Meta(max_length=40, examples=["normal"])]
Word = Annotated[str, Meta(max_length=200)]
"""A choice from a list, or the id of a row."""
Plays = Annotated[tuple[Slug, ...], Meta(max_length=50)] | None


class HostGame(Command, frozen=True, kw_only=True):
    """Open a room and become its host."""

    who = Who.ANYBODY
    answers = (server.GameCreated, server.PlayerJoinRejected)
    tells = (server.PlayerJoined, server.HostSet)
    has_form = False
    method = ""

    game: Slug
    username: Name | None = None
    """If you have no name yet, you become a guest with this name."""
    options: dict[str, Any] = {}
    """Options of the game. Options not listed have their defaults."""
    visibility: Visibility = "public"
    password: Password = ""
    """Password required to join. Empty: none."""
    invite: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()
    """User names of registered users."""
    plays: Plays = None
    """The games you play. If the table switches to another game, you watch. Null: only `game`."""
    lang: Lang = "en"
    """Language of sentences sent to you. English if this server does not offer it."""
    syncs: Syncs = "whole"
    """What you are sent after an act: everything (`GameDataSync`) or only the changes
    (`GameDataChanged`)."""


class JoinGame(Command, frozen=True, kw_only=True):
    """Join or rejoin a room. During a match you watch, unless the game allows late joining."""

    who = Who.ANYBODY
    answers = (server.GameJoined, server.GameRejoined, server.PlayerJoinRejected)
    tells = (server.PlayerJoined,)
    has_form = False
    method = ""

    room: Code
    username: Name | None = None
    """If you have no name yet, you become a guest with this name."""
    token: Token | None = None
    """Token of a returning guest."""
    password: Password = ""
    spectate: bool = False
    """Join as a spectator."""
    plays: Plays = None
    """The games you play. If the table switches to another game, you watch. Null: only the current
    game of the room."""
    lang: Lang = "en"
    """Language of sentences sent to you. English if this server does not offer it."""
    syncs: Syncs = "whole"
    """What you are sent after an act: everything (`GameDataSync`) or only the changes
    (`GameDataChanged`)."""


class Seek(Command, frozen=True, kw_only=True):
    """Look for a quick match: you are seated with others who look for the same.

    You are sent `Seeking` whenever the number of people who wait changes, and `Matched` when a
    table is open. You are a member there; come with `JoinGame`. The match begins once everybody has
    come, and 8 seconds later at the latest. Your place is kept for 25 seconds after your last
    connection has closed.
    """

    who = Who.ANYBODY
    answers = (server.Seeking,)
    has_form = False
    method = ""

    game: Slug
    username: Name | None = None
    """If you have no name yet, you become a guest with this name."""
    seats: Annotated[tuple[Seats, Seats], Meta(examples=[[2, 4]])] | None = None
    """The fewest and the most players that suit you. Null: those of the game."""
    pace: Literal["relaxed", "normal", "fast"] = "normal"
    rated: bool = False
    """Whether the match counts for ratings. You are only seated with people who want the same. You
    need an account that is at least a day old. Otherwise it is refused as `cannot_be_rated`."""
    programs: bool = False
    """Whether you play with programs. Programs must set it, because people who use pages are seated
    only with each other."""
    lang: Lang = "en"
    """Language of cards, if the game has any. English if this server does not offer it."""


class CancelSeek(Command, frozen=True):
    """Stop looking for a quick match of this game. Nothing happens if you are not looking."""

    who = Who.ANYBODY
    has_form = False
    method = ""

    game: Slug


class SetAvailable(Command, frozen=True, kw_only=True):
    """Say which games you play on the ladder, and at how many tables at once.

    Only for versions of programs. You are sent `TableStart` for each table at which you play, now
    and later, and `TableEnd` when its match is over. Come to a table with `JoinGame` on another
    connection. The match begins once everybody has come, and 10 seconds later at the latest. You
    are available until this connection closes.
    """

    who = Who.ANYBODY
    has_form = False
    method = ""

    games: Annotated[tuple[Slug, ...], Meta(max_length=50)]
    """Empty: you play at no more tables."""
    tables: Annotated[int, Meta(ge=1, le=20)] = 1


class LeaveGame(Command, frozen=True):
    """Leave the room for good and give up your seat."""

    tells = (server.PlayerLeft,)
    has_form = False
    method = ""


class LeaveForNewGame(Command, frozen=True):
    """Leave the room for a new one with the same game, options and privacy.

    For members who are not in the running match. The first to send it opens the new room as its
    host. The others join that room with the same packet. Afterwards your connection is in the new
    room.
    """

    who = Who.SPECTATOR
    when = When.RUNNING
    answers = (server.GameCreated, server.GameJoined, server.PlayerJoinRejected)
    tells = (server.PlayerLeft, server.NewGameOpened)
    has_form = False
    method = ""

    room: Code | None = None
    """Code from a `NewGameOpened`. Null: the first one with a free seat, or else a new room."""


class GameDataRequest(Command, frozen=True):
    """Request the state of the room and the match. The server also sends it after every act."""

    answers = (server.GameDataSync,)
    has_form = False
    method = ""


class LogRequest(Command, frozen=True):
    """Request the events of the running or last match, as they were sent to you."""

    answers = (server.Log,)
    has_form = False
    method = ""

    since: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    """A version. The first 500 acts after it are returned."""


class SetOptions(Command, frozen=True):
    """Change options for the next match. Options that are not listed keep their values."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.OptionsSet,)
    said = "saved"

    options: dict[str, Any]


class SetGame(Command, frozen=True, kw_only=True):
    """Choose the game that is played next at this table.

    The members, the chat and the password stay. Programs that do not play the game watch, and so
    does everybody for whom it has no seat.
    """

    who = Who.HOST
    when = When.OPEN
    tells = (server.GameSet, server.PlayerChanged)

    game: Slug
    options: dict[str, Any] = {}
    """Options of the game. Options not listed are as when the game was last chosen in this room."""
    instead: Slug | None = None
    """The game you see. Refused as `chosen_already` if another one has been chosen meanwhile."""


class SetRoom(Command, frozen=True, kw_only=True):
    """Change who can find and join the room, and whether its matches are rated.

    Fields that are not listed keep their values.
    """

    who = Who.HOST
    tells = (server.RoomSet,)
    said = "saved"

    visibility: Visibility | None = None
    password: Password | None = None
    """Empty: remove the password."""
    rated: bool | None = None
    """Only a host with an account can set it. Otherwise it is refused as `cannot_be_rated`."""


class Invite(Command, frozen=True):
    """Invite a registered user. They are sent `Invited`, and need no password."""

    who = Who.HOST
    said = "asked"

    username: Name


class InviteAgain(Command, frozen=True):
    """Invite a former member again, even a guest or a user who was kicked."""

    who = Who.HOST
    is_packet = False

    member: Row


class WithdrawInvitation(Command, frozen=True):
    """Withdraw an invitation. Users who have already joined stay."""

    who = Who.HOST
    is_packet = False

    invitation: Row


class SetHost(Command, frozen=True):
    """Make another member the host of the room."""

    who = Who.HOST
    tells = (server.HostSet,)

    username: Name


class SetSpectating(Command, frozen=True):
    """Choose whether you watch or play the next match."""

    when = When.OPEN
    tells = (server.PlayerChanged,)
    method = "spectate"

    spectating: bool


class SetOthersSpectating(Command, frozen=True):
    """Choose whether another member watches or plays the next match."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerChanged,)
    is_packet = False

    username: Name
    spectating: bool


class KickPlayer(Command, frozen=True):
    """Remove a member, who cannot return. During a match, players must be away, idle or out."""

    who = Who.HOST
    tells = (server.PlayerLeft,)
    method = "kick"

    username: Name


class AddBot(Command, frozen=True):
    """Add a built-in bot."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerJoined,)

    level: BotLevel | None = None
    """One of `botLevels` in `Welcome`. Null: the best."""


class FillWithBots(Command, frozen=True):
    """Add bots up to a number of players. Idempotent."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerJoined,)
    is_packet = False

    level: BotLevel | None = None
    up_to: Row | None = None
    """Number of players. Null: a good number for the game, or all seats if it has been reached."""


class SetBotLevel(Command, frozen=True):
    """Change the level of a bot, starting with the next match."""

    who = Who.HOST
    when = When.OPEN
    is_packet = False

    username: Name
    level: BotLevel


class StartGame(Command, frozen=True):
    """Start a match with all members who are not spectators, in order of joining.

    If players add to the luck, `mixing` is present until the match begins.
    """

    who = Who.HOST
    when = When.OPEN
    tells = (server.LuckVoid, server.GameStarted)
    method = "start"


class PlayAgain(Command, frozen=True):
    """Same as `StartGame`."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.GameStarted,)
    has_form = False


class GiveSeat(Command, frozen=True):
    """Give the seat of an absent player to a member without a seat.

    A member who claimed the seat before joining gets it after its owner has had a minute to refuse.
    For others the table votes.
    """

    who = Who.HOST
    when = When.RUNNING
    provided = "the player is away or has left"
    is_packet = False

    username: Name
    """The owner of the seat."""
    member: Row


class TakeBackSeat(Command, frozen=True):
    """Take your seat back from the bot that plays for you, if any. Making a move does the same."""

    is_packet = False


class DealSeen(Command, frozen=True):
    """Confirm that you have seen what everybody looks at, so that others need not wait for you."""

    when = When.PLAYING
    provided = "people are still looking at what they were dealt, or reading the answers"
    is_packet = False
    is_unasked = True


class Nudge(Command, frozen=True):
    """Set a time limit of sixty seconds for a question without a clock."""

    who = Who.HOST_OR_SEATED
    when = When.PLAYING
    provided = "the question has no clock and, unless you are the host, has been open for 2 minutes"
    tells = (server.Nudged,)


class MoreTime(Command, frozen=True):
    """Extend the time limit of your question by its full length. Each player can do this once per
    match.
    """

    when = When.PLAYING
    provided = "you have a question with a clock and have not had more time in this match"
    is_packet = False


class Pause(Command, frozen=True):
    """Pause the match. Moves are refused and all clocks stop until it is resumed."""

    who = Who.HOST
    when = When.PLAYING
    tells = (server.Paused,)


class Resume(Command, frozen=True):
    """Resume a paused match. Every clock keeps its remaining time."""

    who = Who.HOST
    when = When.PAUSED
    tells = (server.Resumed,)


class SkipAhead(Command, frozen=True):
    """Ask to let the remaining bots finish the match without delay.

    Granted when the host or more than half of the members present ask.
    """

    when = When.PLAYING
    provided = "only bots are still in"
    tells = (server.SkipAsked,)


class Restart(Command, frozen=True):
    """End the match without a result and start another with the members present.

    The new match starts as with `PlayAgain`.
    """

    who = Who.HOST
    when = When.RUNNING
    provided = "only bots are still in"
    tells = (server.GameEnd, server.GameStarted)


class CallVote(Command, frozen=True, kw_only=True):
    """Call a vote of the players. It is open for twenty seconds, and your own vote is yes.

    It passes as soon as more than half of the voters present agree. For two minutes after a failed
    vote, the same question and the same caller are refused (`vote_again`).
    """

    provided = "you play, or would play the next match"
    tells = (server.VoteCalled, server.VoteEnded)

    about: VoteAbout
    """During a match: `pause`, `resume`, `end` (without a result), `bot` and `remove`. Between
    matches: `game`. At any time: `host`. Only the host can call a vote on a `seat`, on a page."""
    username: Name | None = None
    """With `bot`: the player, away or silent, for whom a bot plays. With `host`: the new host. With
    `remove`: who has to leave the table. This person has no vote. At least two others must have
    one."""
    game: Slug | None = None
    """The next game, with `game`."""


class CastVote(Command, frozen=True):
    """Vote yes or no. If you vote more than once, your last vote counts."""

    provided = "you played when the vote began"
    tells = (server.VoteCast, server.VoteChanged, server.VoteEnded)

    yes: bool


class CommitLuck(Command, frozen=True):
    """Commit to a secret that you add to the luck of the next match.

    Send it when an open room shows you a commitment, and again whenever the commitment changes.
    Keep the secret until `RevealLuck`. A newer share replaces an earlier one. Without a share, you
    add nothing.
    """

    is_unasked = True
    method = ""

    commitment: Hash
    """The newest `fairness.commitment`. Another one is refused as `stale`."""
    share: Hash
    """Made of the commitment, your username and your secret (docs/fairness.md). Refused as
    `too_late` once the shares are listed."""


class RevealLuck(Command, frozen=True):
    """Open your share, so that the match can begin.

    Send it only if `mixing` lists your share unaltered, its `list` is correct, and you have opened
    no other list of the same commitment. Otherwise somebody could choose the luck.
    """

    tells = (server.GameStarted,)
    provided = "your share is on the list"
    is_unasked = True
    method = ""

    list_: Hash
    """`mixing.list`. An earlier list is refused as `too_late`."""
    secret: Hash
    """32 bytes in hex. Refused as `bad_secret` if it does not match your share."""


class SetNonce(Command, frozen=True):
    """Do nothing. Since luck has version 2, programs send `CommitLuck` instead."""

    when = When.OPEN
    is_unasked = True

    nonce: Annotated[str, Meta(max_length=200, examples=["my own luck"])]


class SendNewChatMessage(Command, frozen=True, kw_only=True):
    """Send a chat message to the table. Messages of spectators reach spectators only."""

    provided = "you are not muted"
    tells = (server.NewChatMessageSent,)
    method = "chat"

    message: Annotated[str, Meta(examples=["I would never lie to you."])]
    """1 to 500 characters after trimming."""
    claim: ChatClaim | None = None


class React(Command, frozen=True):
    """Show a reaction for a moment. If you are out or watching, only other such members see it."""

    provided = "you are not muted and the chat is open"
    tells = (server.Reacted,)

    reaction: Reaction


class VetoCard(Command, frozen=True):
    """Exclude a card from all further matches at this table (Cards)."""

    who = Who.PLAYER
    tells = (server.OptionsSet,)
    is_packet = False
    said = "vetoed"

    card: Word


class Mute(Command, frozen=True):
    """Mute or unmute another member, for you only."""

    is_packet = False

    username: Name
    on: bool


class Block(Command, frozen=True):
    """Block or unblock another member."""

    is_packet = False

    username: Name
    on: bool


class Follow(Command, frozen=True):
    """Follow another member, who has an account, or no longer."""

    is_packet = False
    said = "saved"

    username: Name
    on: bool


class Report(Command, frozen=True, kw_only=True):
    """Report a message, a name or a member's behaviour to the moderators."""

    is_packet = False
    said = "reported"

    what: Word = ""
    """`message`, `name` or `behaviour`."""
    which: Word = ""
    """The id of the message, or the name of the member."""
    reason: Word = ""
    note: str = ""
    """At most 300 characters. Longer notes are refused as `bad_note`."""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All commands, in the order of their declaration."""
PACKETS = tuple(command for command in COMMANDS if command.is_packet)
FORMS = {command.__name__: command for command in COMMANDS if command.has_form}
