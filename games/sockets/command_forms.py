"""Forms of a table page as commands. A form's fields are called as the command's are.

Every value of a form is text, a single tick is no list, and what is left empty may be absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args, get_origin

import msgspec
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo

from games.contract.data import pack
from games.engine.options import option_fields
from games.registry import GAMES
from games.wire.commands import FORMS
from games.wire.declaration import Command
from games.wire.wire import BadPacket

Json = dict[str, Any]

NUMBER = re.compile(r"-?[0-9]{1,12}")
OUT_OF_DATE = _("This page is out of date. Please load it again.")
NOT_A_CHOICE = _("That cannot be chosen here.")
TOO_LONG = _("That was too long.")
NOT_READABLE = _("That could not be read.")
SENTENCES = frozenset({OUT_OF_DATE, NOT_A_CHOICE, TOO_LONG})


def sentence(bad: BadPacket) -> str:
    """What somebody is told, in the active language, of a form that says nothing we know."""
    return gettext(str(bad) if str(bad) in SENTENCES else NOT_READABLE)


def read_command(body: Mapping[str, Any], game: str) -> Command:
    """The command that a form of a page in a room of this game asks for; its field `do` names it.

    Raise BadPacket.
    """
    kind = FORMS.get(name) if isinstance(name := body.get("do"), str) else None
    if kind is None:
        raise BadPacket(OUT_OF_DATE)
    given = _fields(kind, body, game)
    if isinstance(emptied := body.get("clear"), str):  # empty would be as it is
        given[emptied] = ""
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError:
        raise BadPacket(NOT_A_CHOICE) from None


def options_from_form(game: str, body: Mapping[str, Any]) -> Json:
    """A form's fields as options: numbers as numbers, switches as yes or no, ticks as lists.

    A `preset` that was tapped stands for all of them, but for lists (packs, say), which stay.
    """
    options: Json = {}
    for preset in GAMES[game].telling.presets:
        if preset.key == body.get("preset"):
            chosen = pack(preset.options)
            return {name: of for name, of in chosen.items() if not isinstance(of, list | tuple)}
    for name, schema in option_fields(GAMES[game]).items():
        value = body.get(f"option-{name}")
        if schema.get("type") == "boolean":
            options[name] = value is not None
        elif schema.get("type") == "array":
            options[name] = value if isinstance(value, list) else [value] if value else []
        elif isinstance(value, str) and "enum" not in schema:
            options[name] = int(value) if NUMBER.fullmatch(value.strip()) else value
        elif value is not None:
            options[name] = value
    return options


def _fields(kind: type[Struct], body: Mapping[str, Any], game: str, within: str = "") -> Json:
    """What stands in a form for each field; `within`, what is before the names of a part's."""
    found = {
        field.encode_name: _value(field, body, game, within + field.encode_name)
        for field in msgspec.structs.fields(kind)
    }
    return {name: value for name, value in found.items() if value is not None}


def _value(field: FieldInfo, body: Mapping[str, Any], game: str, name: str) -> Any:
    """What a form says of a field; None where it says nothing."""
    for kind in get_args(field.type):
        if isinstance(kind, type) and issubclass(kind, Struct):
            return _fields(kind, body, game, f"{name}.") or None
    may_be_absent = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
    if get_origin(field.type) is dict:
        has_any = any(given.startswith("option-") for given in body)
        return options_from_form(game, body) if has_any or not may_be_absent else None
    value = body.get(name)
    if get_origin(field.type) is tuple and value is not None and not isinstance(value, list):
        return [value]
    return None if may_be_absent and value == "" else value
