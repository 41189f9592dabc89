"""Declaration of a command (`games.wire.commands`): its fields, who may send it, and when."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from msgspec import Struct

from games.wire import server


class Who(Enum):
    """The users who may send a command. The values are the wording used in documents."""

    ANYBODY = "anybody who is in no room with this connection"
    MEMBER = "member"
    PLAYER = "member who is not a spectator"
    HOST = "host"
    HOST_OR_SEATED = "host or player"
    """A player is seated while in the running match and not out."""
    SPECTATOR = "member who is out or watches"


class When(Enum):
    """State of the room in which a command is allowed.

    A room whose rounds start by themselves is always open.
    """

    ANY = ""
    OPEN = "while no match runs"
    PLAYING = "while a match runs"
    """The match must not be paused. During a pause, the command is refused as `paused`."""
    PAUSED = "while the match is paused"
    RUNNING = "while a match runs, paused or not"


class Command(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, tag=True):
    """Base class of commands. The class name is the packet's `type` and the form's `do`."""

    who: ClassVar[Who] = Who.MEMBER
    """Sent by anybody else, it is ignored."""
    when: ClassVar[When] = When.ANY
    """At any other time it is refused as `not_allowed_now`."""
    provided: ClassVar[str] = ""
    """Further conditions checked by the function that carries it out, in words."""
    answers: ClassVar[tuple[type[server.Answer], ...]] = (server.Done,)
    """Possible answers to a packet with an `id`, besides `ActionFailed`."""
    tells: ClassVar[tuple[type[server.Sent], ...]] = ()
    """Packets broadcast to the table as a result."""
    is_packet: ClassVar[bool] = True
    """Whether programs can send it. If not, only pages can."""
    has_form: ClassVar[bool] = True
    """Whether the page of a table has a form for it. If not, only programs can send it."""
    is_unasked: ClassVar[bool] = False
    """Whether the page sends it by itself. Its refusals are not shown."""
    said: ClassVar[str] = ""
    """Key of the sentence that a page shows when it is done (`games.tables.sentences`)."""
    method: ClassVar[str | None] = None
    """Method name in the client library. None: derived from the class name; "": no method."""


def who_may(command: type[Command]) -> str:
    """Return who may send this command and when, in the wording of documents."""
    rights = ", ".join(filter(None, (command.who.value, command.when.value)))
    return f"{rights}, if {command.provided}" if command.provided else rights
