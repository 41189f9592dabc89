"""Validation of game options sent by users and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from games.contract.core import Options, Refused
from games.contract.data import unpack
from games.contract.game import AnyGame

Schema = dict[str, Any]


Find = Callable[[str], Any]


def nothing(name: str) -> None:
    """Lookup function for games without a catalog. It never finds anything."""


def read_options(game: AnyGame, given: Mapping[str, Any], find: Find = nothing) -> Options:
    """Return the options of a game, with defaults. Raise Refused("bad_options") if a value is not
    allowed.

    `find` looks up stored content that options refer to by name (`Rules.stock`).
    """
    fields = option_fields(game)
    for name, value in given.items():
        if name not in fields:
            raise Refused("bad_options", option=str(name), allowed=", ".join(fields))
        _check_one(game, name, value, fields[name])
    options: Options = unpack(dict(given), game.rules.options)
    game.rules.check(game.rules.stock(options, find), None)
    return options


def kept_options(game: AnyGame, kept: Mapping[str, Any]) -> Options:
    """Return the stored options of a room, or the defaults if a newer version wrote them."""
    try:
        options: Options = unpack(dict(kept), game.rules.options)
    except msgspec.ValidationError:
        return game.rules.options()  # type: ignore[no-any-return]
    return options


def option_fields(game: AnyGame) -> dict[str, Schema]:
    """Return the JSON Schema of every option by its wire name, with defaults."""
    schema = options_schema(game)
    return dict(schema["properties"])


def options_schema(game: AnyGame) -> Schema:
    """Return the JSON Schema of a game's options (for the `Welcome` packet)."""
    options: Any = game.rules.options  # classes are hashable, but mypy cannot tell
    return dict(_schema_of(options))


@cache
def _schema_of(options: type[Options]) -> Schema:
    """Return the JSON Schema of an options class.

    It is cached because building it takes milliseconds, and `Welcome` contains all of them.
    """
    _, components = msgspec.json.schema_components([options], ref_template="#/$defs/{name}")
    return dict(components[options.__name__])


def allowed(schema: Schema) -> str:
    """Return the allowed values as text: `1 to 9`, `open, off`, `true, false`."""
    if "enum" in schema:
        return ", ".join(str(value) for value in schema["enum"])
    if schema.get("type") == "boolean":
        return "true, false"
    if schema.get("type") == "array":
        return f"{schema.get('minItems', 0)} to {schema['maxItems']} values"
    if "minimum" in schema:
        return f"{schema['minimum']} to {schema['maximum']}"
    return str(schema.get("type", "a value"))


def _check_one(game: AnyGame, name: str, value: Any, schema: Schema) -> None:
    try:
        unpack({name: value}, game.rules.options)
    except msgspec.ValidationError:
        raise Refused("bad_options", option=name, allowed=allowed(schema)) from None
