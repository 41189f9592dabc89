"""Forms: the moves a seat is offered, and the options of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language, gettext

from games.engine.catalogs import Choices
from games.engine.options import allowed, option_fields
from games.language.sentences import refusal, say
from games.language.terms import SHARED_OPTIONS, term
from games.protocol.wire import to_wire
from games.regions.templating import has_own_look
from games.rules.core import AnyGame, Offer, OneOf, Refused, Some
from games.rules.data import Seat
from games.tables.serializers import players_data, view_data, view_of
from games.tables.table import Json, Table

CROWDED = 6
"""With more buttons than these, and several moves, what one is aimed at is laid open by a tap."""
SEATS_APART = ("username", "joinTime", "seat", "inGame", "isSpectator", "isBot", "isGuest")


def actions(table: Table, user_id: int) -> Json:
    """What this person is offered to do, and what cannot be done now."""
    seat, match = table.acting(user_id), table.match
    if match is None or seat is None or table.pause is not None:
        return {
            "prompt": None,
            "crowded": False,
            "forms": [],
            "disabled_moves": [],
            "playing": table.playing,
            "watching": seat is None and not table.parked,
            "view": None,
            "own": {},
            "players": {},
        }
    offers = match.game.offers(match.state, seat)
    view = view_of(table, match, seat)
    auto_pass = match.game.auto_pass(view, seat)
    drawn = [offer for offer in offers if offer.move not in table.words.undrawn]
    facts = _facts_by_name(table)
    forms = [_form(table, view, seat, offer, at) for at, offer in enumerate(drawn)]
    disabled = match.game.disabled_moves(match.state, seat)
    # Who is asked nothing has the same part at every act, and it is drawn and sent only once.
    asked = bool(forms or disabled) or has_own_look(table.game.slug, "answered")
    return {
        "prompt": match.state.prompts[seat] if asked else None,
        "crowded": _is_crowded([form for form in forms if not form["risky"]]),
        "forms": [form | {"auto_pass": form["move"] == auto_pass} for form in forms],
        "disabled_moves": [_disabled_move(table, *one) for one in disabled.items()],
        "playing": table.playing,
        "watching": False,
        "view": view_data(table, seat) if asked else None,
        "own": facts[table.names[seat]],
        "players": facts if asked else {},
    }


def _is_crowded(forms: Sequence[Json]) -> bool:
    return len(forms) > 1 and sum(map(_buttons, forms)) > CROWDED


def _buttons(form: Json) -> int:
    """How many buttons a form takes when all it offers is laid open."""
    one = [len(field["choices"]) for field in form["fields"] if field["kind"] == "one"]
    return max(one, default=1)


def _facts_by_name(table: Table) -> Json:
    return {p["username"]: facts_of(p) for p in players_data(table) if p["seat"] is not None}


def facts_of(player: Json) -> Json:
    """The game's public facts of an entry of `players`."""
    return {k: v for k, v in player.items() if k not in (*SEATS_APART, "connected")}


def _disabled_move(table: Table, move: str, refused: Refused) -> Json:
    """A button that cannot be pressed, with the reason."""
    why = refusal(refused, table.words, table.spoken_names, get_language() or "en")
    return {"move": move, "label": say(table.words.move(move)), "why": why}


def _form(table: Table, view: Any, seat: Seat, offer: Offer, at: int) -> Json:
    """A form for an offer. What there is no choice about is `fixed`, and named on its button."""
    given = _given(offer)
    notes = _notes(table, view, seat, offer.move, given)
    fields = [
        _field(table, view, seat, offer.move, name, choices, given)
        for name, choices in offer.args.items()
    ]
    for choice in (choice for field in fields for choice in field["choices"]):
        choice["hint"] = "" if choice["hint"] == notes["hint"] else choice["hint"]
    fixed = [field for field in fields if field["name"] in given]
    return {
        **notes,
        "key": f"{offer.move.lower()}-{at}",
        "move": offer.move,
        "label": say(table.words.move(offer.move)),
        "risky": offer.risky,
        "fixed": fixed,
        "fields": [field for field in fields if field not in fixed],
    }


def _given(offer: Offer) -> Json:
    """The arguments there is no choice about, in a move that has others besides."""
    if len(offer.args) == 1:
        return {}
    return {
        name: choices.one_of[0]
        for name, choices in offer.args.items()
        if isinstance(choices, OneOf) and len(choices.one_of) == 1
    }


def _notes(table: Table, view: Any, seat: Seat, move: str, args: Json) -> Json:
    """What stands on a button besides its name: what it risks; whether it is the truth."""
    hint = table.words.hint(view, seat, move, args)
    return {
        "hint": say(hint, table.spoken_names) if hint else "",
        "true": table.words.truth(view, move, args),
    }


def _field(
    table: Table,
    view: Any,
    seat: Seat,
    move: str,
    name: str,
    choices: OneOf | Some,
    given: Json,
) -> Json:
    values = choices.one_of if isinstance(choices, OneOf) else choices.some
    field: Json = {
        "name": name,
        "label": term(table.words, name),
        "choices": [
            {
                **_choice(table, view, seat, move, name, value),
                **_notes(table, view, seat, move, {**given, name: value}),
            }
            for value in values
        ],
        "least": 1,
        "most": 1,
        "kind": "one",
    }
    if isinstance(choices, Some):
        kind = "ordered" if choices.ordered else "some"
        field |= {"least": choices.least, "most": choices.most, "kind": kind}
    return field


def _choice(table: Table, view: Any, seat: Seat, move: str, name: str, value: Any) -> Json:
    plain = to_wire(value, table.names)
    if isinstance(value, Seat):
        text = gettext("yourself") if value == seat else table.spoken_names[value]
    elif meaning := table.words.choice(view, move, name, value):
        text = say(meaning, table.spoken_names)
    else:
        text = term(table.words, value)
    return {"value": str(plain).lower() if isinstance(plain, bool) else str(plain), "text": text}


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
