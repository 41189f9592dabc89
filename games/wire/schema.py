"""All packets as one JSON Schema (2020-12), generated from types, docstrings and bounds."""

from __future__ import annotations

import ast
import inspect
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType
from msgspec.structs import FieldInfo

from games.contract.core import Options
from games.contract.game import AnyGame
from games.registry import GAMES
from games.wire import client, parts, server
from games.wire.commands import PACKETS
from games.wire.declaration import Command
from games.wire.games import Vocabulary, vocabulary

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
REFERENCE = "#/$defs/"
PLAIN: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
BOUNDS: Mapping[str, str] = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "title": "title",
    "description": "description",
    "pattern": "pattern",
    "examples": "examples",
}


def schema(games: Iterable[AnyGame] | None = None) -> Schema:
    """Return a schema of all packets of these games (default: all) and of their parts.

    `$defs` holds each type under its name, types of a game as `<slug>.<name>`. It also has groups:
    `client`, `server`, `<slug>.moves`, `<slug>.events`, and `<slug>.server` with all packets sent
    in a room of that game.
    """
    defs: dict[str, Schema] = {}
    words = [vocabulary(game) for game in (GAMES.values() if games is None else games)]
    shared = Writer(defs)
    defs["client"] = _any(shared.ref(packet) for packet in PACKETS)
    everywhere = [shared.ref(packet) for packet in server.PACKETS if not is_of_a_game(packet)]
    for each in words:
        _write_game(Writer(defs, each), everywhere)
    defs["server"] = _any(_reference(f"{each.game.slug}.server") for each in words)
    moves = [_reference(f"{each.game.slug}.moves") for each in words]
    return {
        "$schema": DIALECT,
        "$id": "urn:parlour:protocol:1",
        "title": "Parlour, protocol 1",
        "description": "Every packet that programs and the server send each other.",
        "anyOf": [_reference("client"), *moves, _reference("server")],
        "$defs": dict(sorted(defs.items())),
    }


def general() -> dict[str, Schema]:
    """Return the packets common to all games, with base types in place of game-specific types."""
    writer = Writer({})
    for packet in (*PACKETS, *server.PACKETS):
        writer.ref(packet)
    return writer.defs


def _write_game(writer: Writer, everywhere: list[Schema]) -> None:
    words = writer.words
    assert words is not None
    slug = words.game.slug
    writer.defs[f"{slug}.moves"] = _any(writer.ref(move) for move in words.moves.values())
    writer.defs[f"{slug}.events"] = _any(writer.ref(event) for event in words.events.values())
    here = [writer.ref(packet) for packet in server.PACKETS if is_of_a_game(packet)]
    writer.defs[f"{slug}.server"] = _any([*everywhere, *here, _reference(f"{slug}.events")])


@dataclass(frozen=True)
class Writer:
    """Writes the schemas of types into `defs`. Placeholders are replaced by types from `words`."""

    defs: dict[str, Schema]
    words: Vocabulary | None = None
    _begun: set[str] = field(default_factory=set)

    def ref(self, type_: type[Struct]) -> Schema:
        """Return a reference to a type. If necessary, write its schema first."""
        if self.words is not None and type_ in PLACES:
            return self._in_place(type_, self.words)
        name = name_of(type_, self.words)
        if name not in self.defs and name not in self._begun:
            self._begun.add(name)
            self.defs[name] = self._object(type_)
        return _reference(name)

    def of(self, type_: Any) -> Schema:
        """Return the schema of any type that packets use."""
        if type_ is Any:
            return {}
        if type_ in PLAIN:
            return {"type": PLAIN[type_]}
        if isinstance(type_, type) and issubclass(type_, Struct):
            return self.ref(type_)
        origin, args = get_origin(type_), get_args(type_)
        if origin is Annotated:
            return self._named(self._bounded(args[0], type_.__metadata__))
        if origin is Literal:
            return _words(args)
        if origin in (Union, types.UnionType):
            return _one_of([self.of(arg) for arg in args if arg is not UnsetType])
        if origin is tuple:
            return {"type": "array", "items": self.of(args[0])}
        names = self.of(args[0])
        named = {} if names == {"type": "string"} else {"propertyNames": names}
        return {"type": "object", **named, "additionalProperties": self.of(args[1])}

    def _named(self, found: Schema) -> Schema:
        """If a schema has a title, move it to `$defs` under that title, and return a reference."""
        title = found.get("title")
        if title is None:
            return found
        self.defs[title] = found
        return _reference(title)

    def _in_place(self, type_: type[Struct], words: Vocabulary) -> Schema:
        if type_ is parts.Player:
            return _any([self.ref(words.player), self.ref(parts.Member)])
        if type_ is server.Event:
            return _reference(f"{words.game.slug}.events")
        return self.ref(words.view if type_ is parts.View else words.options)

    def _object(self, type_: type[Struct]) -> Schema:
        """Return the schema of a Struct: its fields only, and its tag in `type`."""
        fields = _fields(type_)
        docs = _field_docs(type_, self.words)
        tag = type_.__struct_config__.tag
        properties = {} if tag is None else {"type": {"const": tag}}
        properties |= {of.encode_name: self._field(of, docs) for of in fields}
        required = [of.encode_name for of in fields if of.required]
        doc = inspect.cleandoc(type_.__doc__ or "")
        return {
            **({"description": _flowing(doc)} if doc else {}),
            "type": "object",
            "properties": properties,
            "required": required if tag is None else ["type", *required],
            "additionalProperties": False,
        }

    def _field(self, of: FieldInfo, docs: Mapping[str, str]) -> Schema:
        found = self.of(of.type)
        if of.name in docs:
            found = {"description": docs[of.name], **found}
        default = {} if of.default_factory is dict else of.default
        if default is not UNSET and default is not NODEFAULT:
            found = {**found, "default": msgspec.json.decode(msgspec.json.encode(default))}
        return found

    def _bounded(self, type_: Any, notes: Iterable[Any]) -> Schema:
        found = self.of(type_)
        size = "Length" if found.get("type") == "string" else "Items"
        for note in notes:
            if isinstance(note, Meta):
                given = {"minLength": note.min_length, "maxLength": note.max_length}
                found |= {
                    name.replace("Length", size): n for name, n in given.items() if n is not None
                }
                bounds = {name: getattr(note, name) for name in BOUNDS}
                found |= {BOUNDS[name]: n for name, n in bounds.items() if n is not None}
                found |= note.extra_json_schema or {}
        return found


PLACES: tuple[type[Struct], ...] = (parts.Player, server.Event, parts.View, Options)


@cache
def is_of_a_game(type_: type[Struct]) -> bool:
    """Whether any type in this packet or part differs per game."""
    return any(
        part in PLACES or is_of_a_game(part)
        for of in msgspec.structs.fields(type_)
        for part in _structs(of.type)
    )


def name_of(type_: type[Struct], words: Vocabulary | None) -> str:
    """Return the name of a type in `$defs`."""
    if words is not None and "." not in type_.__name__ and is_of_a_game(type_):
        return f"{words.game.slug}.{type_.__name__}"
    return type_.__name__


def _structs(type_: Any) -> list[type[Struct]]:
    if isinstance(type_, type) and issubclass(type_, Struct):
        return [type_]
    return [found for arg in get_args(type_) for found in _structs(arg)]


@cache
def _fields(type_: type[Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a Struct. Packets from clients also have an optional `id`."""
    own = msgspec.structs.fields(type_)
    if not issubclass(type_, Command):
        return own
    return (*own, *(f for f in msgspec.structs.fields(client.Envelope) if f.name == "id"))


def _field_docs(type_: type[Struct], words: Vocabulary | None) -> dict[str, str]:
    origin = words.origin(type_) if words is not None else type_
    docs = dict(_written_docs(client.Envelope))
    for known in (*reversed(type_.__mro__), *reversed(origin.__mro__)):
        if issubclass(known, Struct) and known is not Struct:
            docs |= _written_docs(known)
    return docs


@cache
def _written_docs(type_: type[Struct]) -> Mapping[str, str]:
    """Return the docstrings below the fields of a class, by field."""
    written = _written_classes(type_.__module__).get(type_.__qualname__)
    if written is None:  # a generated class has no source
        return {}
    docs = {}
    for above, below in zip(written.body, written.body[1:], strict=False):
        if (
            isinstance(above, ast.AnnAssign)
            and isinstance(above.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            docs[above.target.id] = _flowing(inspect.cleandoc(str(below.value.value)))
    return docs


@cache
def _written_classes(module: str) -> Mapping[str, ast.ClassDef]:
    """Return the syntax trees of the classes in a module. The file is read once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError):
        return {}
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _flowing(doc: str) -> str:
    """Return a docstring with each paragraph on one line."""
    return "\n\n".join(" ".join(each.split()) for each in doc.split("\n\n"))


def _reference(name: str) -> Schema:
    return {"$ref": REFERENCE + name}


def _any(schemas: Iterable[Schema]) -> Schema:
    return {"anyOf": list(schemas)}


def _words(values: tuple[Any, ...]) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def _one_of(schemas: list[Schema]) -> Schema:
    """Return the shortest schema that allows any of these."""
    schemas = [inner for one in schemas for inner in one.get("anyOf", [one])]
    if len(schemas) == 1:
        return schemas[0]
    if all(set(one) == {"type"} for one in schemas):
        kinds = [one["type"] for one in schemas]
        return {"type": [kind for kind in kinds if kind != "integer" or "number" not in kinds]}
    if len(schemas) == 2 and set(schemas[0]) == {"enum"} and schemas[1] == {"type": "null"}:
        return {"enum": [*schemas[0]["enum"], None]}
    return _any(schemas)
