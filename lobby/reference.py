"""Reference of the wire format: /api/, a page for each game, and two schema documents."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from msgspec import Struct

from games.registry import GAMES
from games.wire import server
from games.wire.asyncapi import asyncapi
from games.wire.commands import PACKETS
from games.wire.declaration import Command, who_may
from games.wire.examples import example
from games.wire.games import Vocabulary, vocabulary
from games.wire.schema import REFERENCE, Schema, general, name_of, schema

Json = dict[str, Any]

FRAME = ("type", "id", "prompt")
"""Fields that every packet may have. They are described once, above all packets."""


@dataclass(frozen=True)
class Bit:
    """A piece of a sentence: plain, code, or linked code."""

    text: str
    is_code: bool = False
    href: str = ""


@dataclass(frozen=True)
class Field:
    """A field of a packet or part, with its type."""

    name: str
    kind: tuple[Bit, ...]
    optional: bool
    default: str
    about: tuple[Bit, ...]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A packet or part as displayed."""

    anchor: str
    name: str
    about: tuple[Bit, ...]
    fields: Sequence[Field]
    kind: tuple[Bit, ...] = ()
    who: str = ""
    answers: tuple[Bit, ...] = ()
    tells: tuple[Bit, ...] = ()
    example: str = ""


@dataclass(frozen=True)
class Section:
    """Entries under a heading."""

    anchor: str
    title: str
    entries: Sequence[Entry]


@login_not_required
@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show all packets that do not depend on a game."""
    context = {"sections": _of_platform(), "games": GAMES.values(), "game": None}
    return render(request, "lobby/reference.html", context)


@login_not_required
@require_safe
def game_reference(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what one game adds: its moves, events, view and options."""
    if slug not in GAMES:
        raise Http404
    game = GAMES[slug]
    context = {"sections": _of_game(vocabulary(game)), "games": GAMES.values(), "game": game}
    return render(request, "lobby/reference.html", context)


@login_not_required
@require_safe
def schema_document(request: HttpRequest) -> HttpResponse:
    return _document(request, _schema)


@login_not_required
@require_safe
def asyncapi_document(request: HttpRequest) -> HttpResponse:
    return _document(request, _asyncapi)


def _document(request: HttpRequest, of: Callable[[], Json]) -> HttpResponse:
    """Send a JSON document. Any site may fetch it, because it contains no personal data.

    The document is compressed once, because it does not change while the server runs.
    """
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(_packed(of) if packed else _text(of), content_type="application/json")
    if packed:
        answer["Content-Encoding"] = "gzip"
    answer["Vary"] = "Accept-Encoding"
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@cache
def _packed(of: Callable[[], Json]) -> bytes:
    return gzip.compress(_text(of).encode(), mtime=0)


def build_documents() -> None:
    """Build all documents once, before concurrent requests arrive."""
    _packed(_schema)
    _packed(_asyncapi)
    _of_platform()
    for game in GAMES.values():
        _of_game(vocabulary(game))


@cache
def _text(made: Callable[[], Json]) -> str:
    return json.dumps(made(), ensure_ascii=False)


@cache
def _schema() -> Schema:
    return schema()


def _asyncapi() -> Json:
    return asyncapi(made=_schema())


def _defs() -> dict[str, Schema]:
    defs: dict[str, Schema] = _schema()["$defs"]
    return defs


def _of_platform() -> list[Section]:
    """Return the sections about packets and parts that do not depend on a game."""
    defs, some_game = general(), vocabulary(next(iter(GAMES.values())))
    received = [_received(defs, packet) for packet in PACKETS]
    sent = [_entry(defs, p.__name__, name_of(p, some_game)) for p in server.PACKETS]
    known = {entry.anchor for entry in (*received, *sent)}
    parts = [_entry(defs, name) for name in sorted(defs) if name not in known]
    return [
        Section("what-you-send", gettext("What you send"), received),
        Section("what-you-are-sent", gettext("What you are sent"), sent),
        Section("parts", gettext("Parts of packets"), parts),
    ]


def _of_game(words: Vocabulary) -> list[Section]:
    def entries(types: Iterable[type[Struct]]) -> list[Entry]:
        return [_entry(_defs(), each.__name__, each.__name__) for each in types]

    seen = entries((words.view, words.player, words.options))
    parts = [part.__name__ for part in words.parts.values()]
    parts += [name for name, of in _defs().items() if _is_value_of(words.game.slug, name, of)]
    return [
        Section("moves", gettext("Moves"), entries(words.moves.values())),
        Section("events", gettext("Events"), entries(words.events.values())),
        Section("seen", gettext("What is seen, and options"), seen),
        Section("parts", gettext("Parts"), [_entry(_defs(), name) for name in sorted(parts)]),
    ]


def _is_value_of(slug: str, name: str, of: Schema) -> bool:
    """Whether this is a named string or number type of a game."""
    return name.startswith(f"{slug}.") and not {"properties", "anyOf"} & set(of)


def _received(defs: dict[str, Schema], packet: type[Command]) -> Entry:
    return replace(
        _entry(defs, packet.__name__, packet.__name__),
        who=who_may(packet),
        answers=_links(packet.answers),
        tells=_links(packet.tells),
    )


def _entry(defs: dict[str, Schema], name: str, shown_as: str = "") -> Entry:
    """Return the entry of a packet or part. `shown_as` is the packet type of its example, if it has
    one.
    """
    found = defs[name]
    required = found.get("required", ())
    fields = {n: of for n, of in found.get("properties", {}).items() if n not in FRAME}
    return Entry(
        anchor=_anchor(name),
        name=name.rpartition(".")[2],
        about=_prose(_about(found)),
        fields=[
            Field(n, tuple(_kind(of)), n not in required, _default(of), _prose(_about(of)))
            for n, of in fields.items()
        ],
        kind=() if "properties" in found else tuple(_kind(found)),
        example=_pretty(example(_defs(), shown_as)) if shown_as else "",
    )


def _about(of: Schema) -> str:
    about: str = of.get("description", "")
    return about


def _default(of: Schema) -> str:
    return "" if of.get("default") is None else json.dumps(of["default"], ensure_ascii=False)


def _links(packets: Iterable[type[Struct]]) -> tuple[Bit, ...]:
    return tuple(Bit(p.__name__, True, f"#{p.__name__}") for p in packets)


def _anchor(name: str) -> str:
    """Return the anchor of an entry on its page, without the game's prefix."""
    return name.partition(".")[2] or name


def _href(name: str) -> str:
    slug, dot, _ = name.partition(".")
    page = reverse("game-reference", args=[slug]) if dot else reverse("reference")
    return f"{page}#{_anchor(name)}"


def _pretty(packet: Json) -> str:
    return json.dumps(packet, ensure_ascii=False, indent=2)


def _prose(text: str) -> tuple[Bit, ...]:
    """Split text into plain pieces and code between backticks."""
    return tuple(Bit(piece, bool(at % 2)) for at, piece in enumerate(text.split("`")) if piece)


def _kind(of: Schema) -> Iterator[Bit]:
    """Describe the type of a field in words."""
    if "$ref" in of:
        name = of["$ref"].removeprefix(REFERENCE)
        yield Bit(name.rpartition(".")[2], True, _href(name))
    elif "anyOf" in of:
        yield from _or([tuple(_kind(one)) for one in of["anyOf"]])
    elif "const" in of or "enum" in of:
        values = of.get("enum", [of.get("const")])
        yield from _or([(Bit(json.dumps(value), True),) for value in values])
    elif of.get("type") == "array":
        yield Bit(gettext("list of") + " ")
        yield from _kind(of["items"])
        yield from _bounds(of, "minItems", "maxItems")
    elif of.get("type") == "object":
        yield Bit(gettext("object, each value") + " ")
        yield from _kind(of["additionalProperties"])
    else:
        yield from _plain(of)


def _plain(of: Schema) -> Iterator[Bit]:
    words = {
        "string": gettext("text"),
        "integer": gettext("whole number"),
        "number": gettext("number"),
        "boolean": gettext("true or false"),
        "null": "null",
    }
    kinds = of.get("type", [])
    names = [words[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    yield Bit(f" {gettext('or')} ".join(names) or gettext("anything"))
    yield from _bounds(of, "minLength", "maxLength")
    yield from _bounds(of, "minimum", "maximum")


def _bounds(of: Schema, least: str, most: str) -> Iterator[Bit]:
    if least in of and most in of:
        yield Bit(f" ({of[least]}–{of[most]})")
    elif most in of:
        yield Bit(f" (≤ {of[most]})")
    elif least in of:
        yield Bit(f" (≥ {of[least]})")


def _or(choices: list[tuple[Bit, ...]]) -> Iterator[Bit]:
    for at, bits in enumerate(choices):
        if at:
            yield Bit(f" {gettext('or')} " if at == len(choices) - 1 else ", ")
        yield from bits
