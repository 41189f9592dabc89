"""The options of a game as a form."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.catalogs import Choices
from games.engine.options import allowed, option_fields
from games.language.terms import SHARED_OPTIONS, term
from games.rules.core import AnyGame
from games.tables.table import Json


def option_form(
    game: AnyGame,
    options: Json,
    choices: Mapping[str, Choices],
    hidden: frozenset[str] = frozenset(),
) -> list[Json]:
    """A form field for every option of a game, its own before those all games share.

    `choices` says what the options that are lists can hold. What a table of another kind hides
    (`hidden`) takes the place of what ordinary ones do.
    """
    schema = option_fields(game)
    hidden = hidden or game.words(game.options()).undrawn
    ordered = [n for n in schema if n not in SHARED_OPTIONS]
    ordered += [n for n in SHARED_OPTIONS if n in schema]
    fields = [_option(game, name, schema[name], options, choices.get(name, ())) for name in ordered]
    return [
        field
        for field in fields
        if field["name"] not in hidden and (field["kind"] != "several" or field["choices"])
    ]


def _option(game: AnyGame, name: str, schema: Json, options: Json, several: Choices) -> Json:
    value, words = options.get(name, schema.get("default")), game.words(game.options())
    field: Json = {"name": name, "label": term(words, name), "value": value, "kind": "number"}
    if schema.get("type") == "boolean":
        return field | {"kind": "switch"}
    if schema.get("type") == "array":
        listed = [{"value": v, "text": t, "on": v in (value or ())} for v, t in several]
        return field | {"kind": "several", "choices": listed}
    if "enum" in schema:
        listed = [{"value": str(v), "text": term(words, v)} for v in schema["enum"]]
        return field | {"kind": "choice", "choices": listed}
    return field | {
        "min": schema.get("minimum"),
        "max": schema.get("maximum"),
        "allowed": allowed(schema),
    }
