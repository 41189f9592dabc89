"""The options of a game as a form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from msgspec import structs

from games.contract.core import Options
from games.contract.data import pack
from games.contract.game import AnyGame
from games.contract.presets import OTHER, Preset
from games.engine.catalogs import Choices
from games.engine.options import allowed, option_fields
from games.tables.sentences import say
from games.tables.table import Json
from games.tables.terms import SHARED_GROUPS, SHARED_OPTIONS, term, value_term


def option_form(
    game: AnyGame,
    options: Json,
    choices: Mapping[str, Choices],
    hidden: frozenset[str] = frozenset(),
) -> list[Json]:
    """Return a form field for every option of a game. Its own options come first, then the shared
    ones.

    `choices` contains the possible values of list options. `hidden` lists the options that a
    special table hides, instead of those that the game hides.
    """
    schema = option_fields(game)
    hidden = hidden or game.telling.words(game.rules.options()).undrawn
    ordered = [n for n in schema if n not in SHARED_OPTIONS]
    ordered += [n for n in SHARED_OPTIONS if n in schema]
    fields = [_option(game, name, schema[name], options, choices.get(name, ())) for name in ordered]
    return [
        field
        for field in fields
        if field["name"] not in hidden and (field["kind"] != "several" or field["choices"])
    ]


def grouped(game: AnyGame, fields: list[Json]) -> list[Json]:
    """Group the fields under headings. A field without a group goes under OTHER."""
    found: dict[str, Json] = {}
    placed: dict[str, str] = {}
    for heading, names in (*game.telling.groups, (OTHER, ()), *SHARED_GROUPS):
        found.setdefault(heading.id, {"name": say(heading), "fields": []})
        placed |= dict.fromkeys(names, heading.id)
    for field in fields:
        found[placed.get(field["name"], OTHER.id)]["fields"].append(field)
    return [group for group in found.values() if group["fields"]]


def nearest(game: AnyGame, fields: list[Json]) -> tuple[Preset, frozenset[str]] | None:
    """Return the preset closest to these fields, and the names of the fields that differ. Return
    None if the game has no presets.
    """
    now = {field["name"]: field["value"] for field in fields if field["kind"] != "several"}
    found = [
        (preset, frozenset(n for n, value in now.items() if pack(preset.options)[n] != value))
        for preset in game.telling.presets
    ]
    return min(found, key=lambda one: len(one[1]), default=None)


def differences(game: AnyGame, options: Json, hidden: frozenset[str] = frozenset()) -> list[Json]:
    """Return the labels and values of options that differ from the defaults. Lists are left out."""
    words, usual = game.telling.words(game.rules.options()), pack(game.rules.options())
    return [
        {"label": field["label"], "text": value_term(words, field["name"], field["value"])}
        for field in option_form(game, options, {}, hidden)
        if field["value"] != usual[field["name"]]
    ]


@cache
def _declared(options: type[Options]) -> Mapping[str, tuple[str, ...]]:
    """Return the values of all choices by option, in the order of their declaration. The schema
    sorts them.
    """
    return {field.encode_name: get_args(field.type) for field in structs.fields(options)}


def _option(game: AnyGame, name: str, schema: Json, options: Json, several: Choices) -> Json:
    value, words = (
        options.get(name, schema.get("default")),
        game.telling.words(game.rules.options()),
    )
    field: Json = {"name": name, "label": term(words, name), "value": value, "kind": "number"}
    if schema.get("type") == "boolean":
        return field | {"kind": "switch"}
    if schema.get("type") == "array":
        listed = [{"value": v, "text": t, "on": v in (value or ())} for v, t in several]
        return field | {"kind": "several", "choices": listed}
    if "enum" in schema:
        kind: Any = game.rules.options  # classes are hashable, but mypy cannot tell
        values = _declared(kind)[name]
        texts = [value_term(words, name, v) for v in values]
        listed = [{"value": str(v), "text": t} for v, t in zip(values, texts, strict=True)]
        return field | {"kind": "choice", "choices": listed}
    return field | {
        "min": schema.get("minimum"),
        "max": schema.get("maximum"),
        "allowed": allowed(schema),
    }
