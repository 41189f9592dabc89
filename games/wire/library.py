"""The methods of the client library for the packets of a member, written out as Python.

`manage.py wire_schema --write` puts them into `parlour_client/commands.py`, which imports nothing
of ours: the library is copied to where there is no Parlour.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo

from games.wire import server
from games.wire.commands import PACKETS
from games.wire.declaration import Command, who_may

LONGEST = 101
"""Characters of a line, with its end."""
HEAD = '''\
"""What a member of a room can do, a method for each packet; and the names of what is sent.

Written by `manage.py wire_schema --write` out of Parlour's table of commands: change it there.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

PLATFORM = frozenset(
    {
{packets}
    }
)
"""What is sent besides events: every other packet is an event of a game."""


class Commands:
    """Each method raises Refused with the server's code and sentence, and as `request` does."""

    async def request(self, packet_type: str, /, **fields: Any) -> Json:
        """Send a packet and return its one answer."""
        raise NotImplementedError
'''


def library() -> str:
    """The source of `parlour_client/commands.py`."""
    made = [_method(packet) for packet in PACKETS if packet.method != ""]
    names = "\n".join(f'        "{packet.__name__}",' for packet in server.PACKETS)
    head = HEAD.replace("{packets}", names)
    return "\n".join([head, *made])


def _method(packet: type[Command]) -> str:
    fields = msgspec.structs.fields(packet)
    name = packet.method or re.sub(r"(?<!^)(?=[A-Z])", "_", packet.__name__).lower()
    given = "".join(f", {_parameter(field, len(fields) == 1)}" for field in fields)
    passed = "".join(f", {field.encode_name}={field.name}" for field in fields)
    head = f"    async def {name}(self{given}) -> None:\n"
    if len(head) > LONGEST:  # as the formatter breaks it
        head = f"    async def {name}(\n        self{given}\n    ) -> None:\n"
    return (
        f"{head}"
        f"{textwrap.indent(_docstring(packet), ' ' * 8)}\n"
        f'        await self.request("{packet.__name__}"{passed})\n'
    )


def _parameter(field: FieldInfo, is_alone: bool) -> str:
    """How a field is asked for: an object alone as keywords, a switch alone as on."""
    kind = _written(field.type)
    if is_alone and kind == "Json":
        return f"**{field.name}: Any"
    if is_alone and kind == "bool":
        return f"{field.name}: bool = True"
    default = "" if field.default is NODEFAULT else f" = {field.default!r}"
    return f"{field.name}: {kind}{default}"


def _written(type_: Any) -> str:
    """A type as it is written down."""
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _written(args[0])
    if type(None) in args:
        return f"{_written(next(arg for arg in args if arg is not type(None)))} | None"
    if origin is dict or (isinstance(type_, type) and issubclass(type_, Struct)):
        return "Json"
    if origin is not None:  # words to choose from
        return type(args[0]).__name__
    return str(type_.__name__)


def _docstring(packet: type[Command]) -> str:
    """What it does, and who may; a docstring of ours is indented less than a method's is."""
    paragraphs = inspect.cleandoc(packet.__doc__ or "").split("\n\n")
    paragraphs.append(f"Who may: {who_may(packet)}.")
    return '"""' + "\n\n".join(textwrap.fill(text, 88) for text in paragraphs) + '\n"""'
