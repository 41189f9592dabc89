"""What the table of commands (`games.wire.commands`) says of each: what, who, when."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from msgspec import Struct

from games.wire import server


class Who(Enum):
    """Who may send a command; the value is how documents say it."""

    ANYBODY = "anybody who is in no room with this connection"
    MEMBER = "member"
    PLAYER = "member who does not only watch"
    HOST = "host"
    HOST_OR_SEATED = "host, or who plays"
    """Seated is who is in the running match and not out."""
    SPECTATOR = "who is out, or watches"


class When(Enum):
    """In which state of the room. Where rounds follow by themselves a room is always open."""

    ANY = ""
    OPEN = "while no match runs"
    PLAYING = "while a match runs"
    """And is not paused: until it goes on, the command is refused as `paused`."""
    PAUSED = "while the match is paused"
    RUNNING = "while a match runs, paused or not"


class Command(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, tag=True):
    """Something people can ask for. Its class name is its name: in the packet's field `type`, in
    the form's field `do`."""

    who: ClassVar[Who] = Who.MEMBER
    """Anybody else's is passed over."""
    when: ClassVar[When] = When.ANY
    """At another time it is refused as `not_allowed_now`."""
    provided: ClassVar[str] = ""
    """What the function that carries it out asks for besides, in words."""
    answers: ClassVar[tuple[type[server.Answer], ...]] = (server.Done,)
    """What the packet's `id` gets; `ActionFailed` besides."""
    tells: ClassVar[tuple[type[server.Sent], ...]] = ()
    """What all at the table are sent by it."""
    is_packet: ClassVar[bool] = True
    """Whether programs can send it; else only a page has it."""
    has_form: ClassVar[bool] = True
    """Whether the page of a table has a form for it; else only programs can send it."""
    is_unasked: ClassVar[bool] = False
    """Whether the page sends it by itself: a refusal is shown to nobody."""
    said: ClassVar[str] = ""
    """The sentence with which a page says that it is done (`games.tables.sentences`)."""
    method: ClassVar[str | None] = None
    """Its name in the client library where that is not its own; "" where it has no plain method."""


def who_may(command: type[Command]) -> str:
    """Who may send this, and when, as documents say it."""
    rights = ", ".join(filter(None, (command.who.value, command.when.value)))
    return f"{rights}, if {command.provided}" if command.provided else rights
