"""Converts forms of a table page to commands. Form fields have the names of the command's fields.

Forms differ from commands: values are text, a single ticked box is not a list, and an empty field
may mean no value.
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
from games.wire.wire import BadPacket, bare

Json = dict[str, Any]

NUMBER = re.compile(r"-?[0-9]{1,12}")
OUT_OF_DATE = _("This page is out of date. Please load it again.")
NOT_A_CHOICE = _("That cannot be chosen here.")
TOO_LONG = _("That was too long.")
NOT_READABLE = _("That could not be read.")
SENTENCES = frozenset({OUT_OF_DATE, NOT_A_CHOICE, TOO_LONG})


def sentence(bad: BadPacket) -> str:
    """Return the message for an invalid form, in the active language."""
    return gettext(str(bad) if str(bad) in SENTENCES else NOT_READABLE)


def read_command(body: Mapping[str, Any], game: str) -> Command:
    """Return the command in a form sent from a room of this game. The form's field `do` names it.

    Raise BadPacket if it is not valid.
    """
    kind = FORMS.get(name) if isinstance(name := body.get("do"), str) else None
    if kind is None:
        raise BadPacket(OUT_OF_DATE)
    given = _fields(kind, body, game)
    if isinstance(emptied := body.get("clear"), str):  # otherwise, an empty field means no change
        given[emptied] = ""
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError:
        raise BadPacket(NOT_A_CHOICE) from None


def options_from_form(game: str, body: Mapping[str, Any]) -> Json:
    """Convert form fields to options: numbers to int, switches to bool, ticked boxes to lists.

    A chosen `preset` replaces all options except lists, such as packs.
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
    """Return the form's value for each field. `within` is the name prefix of a nested struct."""
    found = {
        field.encode_name: _value(field, body, game, within + field.encode_name)
        for field in msgspec.structs.fields(kind)
    }
    return {name: value for name, value in found.items() if value is not None}


def _value(field: FieldInfo, body: Mapping[str, Any], game: str, name: str) -> Any:
    """Return the form's value for a field, or None if the form has none."""
    for kind in get_args(field.type):
        if isinstance(kind, type) and issubclass(kind, Struct):
            return _fields(kind, body, game, f"{name}.") or None
    may_be_absent = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
    origin = get_origin(bare(field.type))
    if origin is dict:
        has_any = any(given.startswith("option-") for given in body)
        return options_from_form(game, body) if has_any or not may_be_absent else None
    value = body.get(name)
    if origin is tuple and value is not None and not isinstance(value, list):
        return [value]
    return None if may_be_absent and value == "" else value
