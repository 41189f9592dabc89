"""The table of commands: everything people and programs can ask for at a table, each declared once.

A line of the table is a class (`games.wire.declaration`). From it come the JSON packet and its
schema, the form of a page (`games.sockets.command_forms`), the documents, the client's method
(`games.wire.library`) and the check in the writer's thread (`games.rooms.authorization`); a
function marked `@carries_out` does what it asks for. A game's moves are its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from games.wire import server
from games.wire.claims import ChatClaim
from games.wire.declaration import Command, When, Who
from games.wire.parts import Code, Reaction, Slug, Syncs, Token, VoteAbout

Lang = Annotated[str, Meta(max_length=35, examples=["en", "de"])]
Name = Annotated[str, Meta(max_length=200, examples=["ann", "bob", "eve"])]
Password = Annotated[str, Meta(max_length=100, examples=["swordfish"])]
Visibility = Literal["public", "unlisted", "invited"]
LARGEST = 2**31 - 1
"""No version, prompt or row goes beyond what every database keeps as a number."""
NONCE_PATTERN = "[A-Za-z0-9 '_-]{1,64}"
"""Characters of a nonce. Nobody moderates nonces, so they cannot hold much text."""
Row = Annotated[int, Meta(ge=0, le=LARGEST)]
BotLevel = Annotated[str, Meta(max_length=40, examples=["normal"])]
Word = Annotated[str, Meta(max_length=200)]
"""Names something: one of a list, or a row."""
Plays = Annotated[tuple[Slug, ...], Meta(max_length=50)] | None


class HostGame(Command, frozen=True, kw_only=True):
    """Opens a room and makes you its host."""

    who = Who.ANYBODY
    answers = (server.GameCreated, server.PlayerJoinRejected)
    tells = (server.PlayerJoined, server.HostSet)
    has_form = False
    method = ""

    game: Slug
    username: Name | None = None
    """Who has no name yet becomes a guest of this name."""
    options: dict[str, Any] = {}
    """Those of the game; what is not named has its default."""
    visibility: Visibility = "public"
    password: Password = ""
    """What others have to know; empty: nothing."""
    invite: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()
    """User names of registered people."""
    plays: Plays = None
    """The games you play: at a table that goes on with another you watch. Null: only this one."""
    lang: Lang = "en"
    """Language of the sentences you are sent; English where it is not offered here."""
    syncs: Syncs = "whole"
    """What you are sent after an act: all that is known (`GameDataSync`), or what has changed
    (`GameDataChanged`)."""


class JoinGame(Command, frozen=True, kw_only=True):
    """Comes into a room, or back into it. During play one watches, but for late join."""

    who = Who.ANYBODY
    answers = (server.GameJoined, server.GameRejoined, server.PlayerJoinRejected)
    tells = (server.PlayerJoined,)
    has_form = False
    method = ""

    room: Code
    username: Name | None = None
    """Who has no name yet becomes a guest of this name."""
    token: Token | None = None
    """Of a guest who comes back."""
    password: Password = ""
    spectate: bool = False
    """Only to watch."""
    plays: Plays = None
    """The games you play: at a table that goes on with another you watch. Null: only the one that
    is played there now."""
    lang: Lang = "en"
    """Language of the sentences you are sent; English where it is not offered here."""
    syncs: Syncs = "whole"
    """What you are sent after an act: all that is known (`GameDataSync`), or what has changed
    (`GameDataChanged`)."""


class LeaveGame(Command, frozen=True):
    """Leaves the room for good, and the seat with it."""

    tells = (server.PlayerLeft,)
    has_form = False
    method = ""


class LeaveForNewGame(Command, frozen=True):
    """Leaves the room for a new one of the same game, options and privacy, with all others who are
    not in its match: the first opens it as its host, the others come there by the same
    packet. Who sends it by JSON is in the new room then.
    """

    who = Who.SPECTATOR
    when = When.RUNNING
    answers = (server.GameCreated, server.GameJoined, server.PlayerJoinRejected)
    tells = (server.PlayerLeft, server.NewGameOpened)
    has_form = False
    method = ""

    room: Code | None = None
    """That of a `NewGameOpened`; null: the first with a free seat, else one of your own."""


class GameDataRequest(Command, frozen=True):
    """Asks for the room and the match as they are. It is also sent unasked, after every act."""

    answers = (server.GameDataSync,)
    has_form = False
    method = ""


class LogRequest(Command, frozen=True):
    """Asks what happened in the running or last match, as you were told it."""

    answers = (server.Log,)
    has_form = False
    method = ""

    since: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    """A version: acts above it are told, the first 500 of them."""


class SetOptions(Command, frozen=True):
    """Changes options for the next match; those not named keep their values."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.OptionsSet,)
    said = "saved"

    options: dict[str, Any]


class SetGame(Command, frozen=True, kw_only=True):
    """Chooses the game that is played next at this table. People, bots, chat and password stay;
    programs that do not play it watch, and so does everybody for whom it has no seat.
    """

    who = Who.HOST
    when = When.OPEN
    tells = (server.GameSet, server.PlayerChanged)

    game: Slug
    options: dict[str, Any] = {}
    """Those of the game; what is not named is as it was when it was chosen here last."""
    instead: Slug | None = None
    """The game you see: refused as `chosen_already` where another has been chosen meanwhile."""


class SetRoom(Command, frozen=True, kw_only=True):
    """Changes who can find the room and come in; what is not named stays."""

    who = Who.HOST
    tells = (server.RoomSet,)
    said = "saved"

    visibility: Visibility | None = None
    password: Password | None = None
    """Empty: none is asked any more."""


class Invite(Command, frozen=True):
    """Invites a registered person, who is sent `Invited` and asked for no password."""

    who = Who.HOST
    said = "asked"

    username: Name


class InviteAgain(Command, frozen=True):
    """Invites somebody who was here, a guest or not, sent away or not."""

    who = Who.HOST
    is_packet = False

    member: Row


class WithdrawInvitation(Command, frozen=True):
    """Takes an invitation back. Who has come already stays."""

    who = Who.HOST
    is_packet = False

    invitation: Row


class SetHost(Command, frozen=True):
    """Hands the room over to another person in it."""

    who = Who.HOST
    tells = (server.HostSet,)

    username: Name


class SetSpectating(Command, frozen=True):
    """Watches the next match, or plays it after all."""

    when = When.OPEN
    tells = (server.PlayerChanged,)
    method = "spectate"

    spectating: bool


class SetOthersSpectating(Command, frozen=True):
    """Has another person watch the next match, or play it."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerChanged,)
    is_packet = False

    username: Name
    spectating: bool


class KickPlayer(Command, frozen=True):
    """Sends somebody away, who cannot come back; during play, anyone who is away or idle."""

    who = Who.HOST
    tells = (server.PlayerLeft,)
    method = "kick"

    username: Name


class AddBot(Command, frozen=True):
    """Seats one of the built-in bots."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerJoined,)

    level: BotLevel | None = None
    """One of `botLevels` in `Welcome`; null: the best."""


class FillWithBots(Command, frozen=True):
    """Seats bots until so many sit there: asked twice, no more than once."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.PlayerJoined,)
    is_packet = False

    level: BotLevel | None = None
    up_to: Row | None = None
    """Null: a good round, or the last seats."""


class SetBotLevel(Command, frozen=True):
    """Has a bot play at another level from the next match on."""

    who = Who.HOST
    when = When.OPEN
    is_packet = False

    username: Name
    level: BotLevel


class StartGame(Command, frozen=True):
    """Starts a match of everybody who does not only watch, in order of joining."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.GameStarted,)
    method = "start"


class PlayAgain(Command, frozen=True):
    """`StartGame` by another name."""

    who = Who.HOST
    when = When.OPEN
    tells = (server.GameStarted,)
    has_form = False


class GiveSeat(Command, frozen=True):
    """Gives the seat of a player who is away to somebody here who has none: to who has claimed it
    at the door, once its owner has had a minute to refuse; to others by a vote of the table."""

    who = Who.HOST
    when = When.RUNNING
    provided = "the player is away or has left"
    is_packet = False

    username: Name
    """Whose seat it was."""
    member: Row


class TakeBackSeat(Command, frozen=True):
    """Takes one's own seat back from the bot that keeps it warm, if any. A move does so, too."""

    is_packet = False


class DealSeen(Command, frozen=True):
    """Has looked at what one was dealt: the others need not wait for it any longer."""

    when = When.PLAYING
    provided = "people still look at what they were dealt"
    is_packet = False
    is_unasked = True


class Nudge(Command, frozen=True):
    """Gives a question that has no clock sixty seconds."""

    who = Who.HOST_OR_SEATED
    when = When.PLAYING
    provided = "it has no clock and, but for the host, the question has stood for 2 minutes"
    tells = (server.Nudged,)


class MoreTime(Command, frozen=True):
    """Gives a question as much time again as it had, once in a match for each player."""

    when = When.PLAYING
    provided = "you are asked, it has a clock, and you have not had more time in this match"
    is_packet = False


class Pause(Command, frozen=True):
    """Lets the match stand still: nobody moves, and no time passes until it goes on."""

    who = Who.HOST
    when = When.PLAYING
    tells = (server.Paused,)


class Resume(Command, frozen=True):
    """Lets a paused match go on, every clock where it stood."""

    who = Who.HOST
    when = When.PAUSED
    tells = (server.Resumed,)


class SkipAhead(Command, frozen=True):
    """Asks that bots, who play among themselves by now, take no time any more: the match ends
    within a moment. Done when the host asks, or more than half of the people who are here."""

    when = When.PLAYING
    provided = "nobody but bots is still in"
    tells = (server.SkipAsked,)


class Restart(Command, frozen=True):
    """Ends the match without a result and starts another of those who are here, as `PlayAgain`
    does after its end."""

    who = Who.HOST
    when = When.RUNNING
    provided = "nobody but bots is still in"
    tells = (server.GameEnd, server.GameStarted)


class CallVote(Command, frozen=True, kw_only=True):
    """Puts something to the vote of those who play, for twenty seconds. More than half of those who
    are still there carry it, at once. You are for it. After a vote that failed, neither the same
    question nor the same person is next for two minutes (`vote_again`).
    """

    provided = "you play, or would play the next match"
    tells = (server.VoteCalled, server.VoteEnded)

    about: VoteAbout
    """`pause`, `resume`, `end` (without a result), `bot` and `remove` while a match runs, `game`
    while none does, `host` at any time. Only the host puts a `seat` to the vote, on a page."""
    username: Name | None = None
    """With `bot`, whose seat a bot plays on, who is away or silent; with `host`, who is host; with
    `remove`, who has to leave the table. They have no vote, and two others at least have one."""
    game: Slug | None = None
    """With `game`, what is played next."""


class CastVote(Command, frozen=True):
    """Agrees or disagrees with what is put to the vote; the last answer counts."""

    provided = "you played when it began"
    tells = (server.VoteCast, server.VoteChanged, server.VoteEnded)

    yes: bool


class SetNonce(Command, frozen=True):
    """Your own part in the luck of the next match alone; after it a new one is needed.

    Without one, yours follows from the committed `serverSeed`. It keeps anyone who does not know
    that seed from choosing the luck; an operator who plays along and sends the last nonce is not
    bound.
    """

    when = When.OPEN
    is_unasked = True

    nonce: Annotated[
        str,
        Meta(
            examples=["my own luck"],
            extra_json_schema={"minLength": 1, "maxLength": 64, "pattern": f"^{NONCE_PATTERN}$"},
        ),
    ]
    """1 to 64 of these characters of ASCII: letters, digits, space, apostrophe, `_` and `-`. Others
    are refused as `bad_nonce`, and those of muted people as `muted`."""


class SendNewChatMessage(Command, frozen=True, kw_only=True):
    """Says something to those at the table; who watches is read by who watches."""

    provided = "not muted"
    tells = (server.NewChatMessageSent,)
    method = "chat"

    message: Annotated[str, Meta(examples=["I would never lie to you."])]
    """1 to 500 characters after trimming."""
    claim: ChatClaim | None = None


class React(Command, frozen=True):
    """Shows everybody what you think, for a moment; who is out or watches, to those alone."""

    provided = "not muted, and the chat is open"
    tells = (server.Reacted,)

    reaction: Reaction


class VetoCard(Command, frozen=True):
    """Never wants to see a card again at this table (Cards), from the next match on."""

    who = Who.PLAYER
    tells = (server.OptionsSet,)
    is_packet = False
    said = "vetoed"

    card: Word


class Mute(Command, frozen=True):
    """Does not read what somebody says any more, or reads it again."""

    is_packet = False

    username: Name
    on: bool


class Block(Command, frozen=True):
    """Does not want to meet somebody any more, or does again."""

    is_packet = False

    username: Name
    on: bool


class Report(Command, frozen=True, kw_only=True):
    """Tells moderators of a message, a name, or what somebody does."""

    is_packet = False
    said = "reported"

    what: Word = ""
    """`message`, `name` or `behaviour`."""
    which: Word = ""
    """The number of the message, or the person's name."""
    reason: Word = ""
    note: str = ""
    """At most 300 characters; longer ones are refused as `bad_note`."""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""Every line of the table, in its order."""
PACKETS = tuple(command for command in COMMANDS if command.is_packet)
FORMS = {command.__name__: command for command in COMMANDS if command.has_form}
