"""The moves that a seat can make, as forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from accounts.isolation import isolated
from games.contract.core import Offer, OneOf, Refused, Some
from games.contract.data import Seat
from games.contract.words import _
from games.engine.snapshots import MatchSnapshot
from games.pages.players import dealt, drawn_view, facts_by_name, facts_of
from games.pages.region import Region
from games.pages.templating import has_own_look
from games.pages.viewpoint import Viewpoint
from games.tables.people import players
from games.tables.sentences import refusal, say
from games.tables.table import Json, Table
from games.tables.terms import term
from games.tables.views import offers_of, view_of
from games.wire.wire import to_wire

CROWDED = 6
"""Maximum buttons if several moves are offered.

With more, the targets of a move are shown after a tap on the move.
"""

YOURSELF = _("yourself")


class Asked(NamedTuple):
    """A seat that must answer, its view, and the language of its player."""

    table: Table
    view: Any
    seat: Seat
    language: str


def region(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region with the moves offered to this viewer, and those that are disabled now.

    The region is made again only if the offers or their visible data have changed. Viewers without
    a question keep the same region at every act.
    """
    seat, match = viewpoint.acting, table.match
    key: Any
    if match is None or seat is None or table.pause is not None or dealt(table):
        watching = seat is None and not table.parked
        inputs: tuple[Any, ...] = (table.playing, watching)
        return table.reuse(("idle", watching), inputs, lambda: _idle(table, watching, {}))
    undrawn = table.words.undrawn
    offers = [one for one in offers_of(table, seat) if one.move not in undrawn]
    disabled = match.game.rules.disabled_moves(match.state, seat)
    # Some games show waiting players their own answer, or what they hold.
    if not (offers or disabled or has_own_look(table.game.slug, "answered")):
        own = facts_of(table, players(table)[seat]) if has_own_look(table.game.slug, "kit") else {}
        key = ("waiting", seat if own else None)
        return table.reuse(key, (own,), lambda: _idle(table, False, own))
    inputs = (
        offers,
        [(move, why.code, why.facts) for move, why in disabled.items()],
        match.state.prompts[seat],
        view := drawn_view(table, seat, "actions"),
        players(table),
    )
    key = ("actions", seat, viewpoint.language)
    asked = Asked(table, view_of(table, seat), seat, viewpoint.language)
    return table.reuse(key, inputs, lambda: _asked(asked, match, offers, disabled, view))


def _idle(table: Table, watching: bool, own: Json) -> Region:
    """Return the actions region for a viewer with nothing to do."""
    part: Json = {
        "prompt": None,
        "crowded": False,
        "forms": [],
        "disabled_moves": [],
        "playing": table.playing,
        "watching": watching,
        "view": None,
        "own": own,
        "players": {},
    }
    return Region("actions", "actions", part)


def _asked(
    asked: Asked,
    match: MatchSnapshot,
    offers: Sequence[Offer],
    disabled: Mapping[str, Refused],
    drawn: Json | None,
) -> Region:
    """Return the actions region for a player who must answer a question."""
    table, seat = asked.table, asked.seat
    declining = match.game.rules.auto_pass
    auto_pass = declining and declining(asked.view, seat)
    forms = [_form(asked, offer, at) for at, offer in enumerate(offers)]
    part: Json = {
        "prompt": match.state.prompts[seat],
        "crowded": _is_crowded([form for form in forms if not form["risky"]], len(disabled)),
        "forms": [form | {"auto_pass": form["move"] == auto_pass} for form in forms],
        "disabled_moves": [_disabled_move(asked, *one) for one in disabled.items()],
        "playing": table.playing,
        "watching": False,
        "view": drawn,
        "own": facts_by_name(table)[table.names[seat]],
        "players": facts_by_name(table),
    }
    return Region("actions", "actions", part)


def _is_crowded(forms: Sequence[Json], disabled: int) -> bool:
    """Whether all choices of these forms and the disabled moves need too many buttons."""
    choices = [[len(f["choices"]) for f in form["fields"] if f["kind"] == "one"] for form in forms]
    buttons = sum(max(one, default=1) for one in choices) + disabled
    return len(forms) > 1 and buttons > CROWDED


def _disabled_move(asked: Asked, move: str, refused: Refused) -> Json:
    """Return the data of a disabled button, with the reason why the move is impossible."""
    words, names = asked.table.words, asked.table.spoken_names
    why = refusal(refused, words, names, asked.language)
    return {"move": move, "label": say(words.move(move), language=asked.language), "why": why}


def _form(asked: Asked, offer: Offer, at: int) -> Json:
    """Return the form of an offer. Arguments with only one choice are named on its button."""
    given = _given(offer)
    notes = _notes(asked, offer.move, given)
    fields = [
        _field(asked, offer.move, name, choices, given) for name, choices in offer.args.items()
    ]
    for choice in (choice for field in fields for choice in field["choices"]):
        choice["hint"] = "" if choice["hint"] == notes["hint"] else choice["hint"]
    fixed = [field for field in fields if field["name"] in given]
    return {
        **notes,
        "key": f"{offer.move.lower()}-{at}",
        "move": offer.move,
        "label": say(asked.table.words.move(offer.move), language=asked.language),
        "risky": offer.risky,
        "fixed": fixed,
        "fields": [field for field in fields if field not in fixed],
    }


def _given(offer: Offer) -> Json:
    """Return the arguments that have only one choice, unless the move has just one argument."""
    if len(offer.args) == 1:
        return {}
    return {
        name: choices.one_of[0]
        for name, choices in offer.args.items()
        if isinstance(choices, OneOf) and len(choices.one_of) == 1
    }


def _notes(asked: Asked, move: str, args: Json) -> Json:
    """Return the hint on a button, and whether the claim that its move makes is true.

    `covered` is a different hint for onlookers, if there is one.
    """
    table, view = asked.table, asked.view
    words, is_true = table.words, table.words.truth(view, move, args)
    hint = words.hint(view, asked.seat, move, args)
    # a covered hint must not reveal whether a claim is true
    public = view_of(table, None) if is_true else view
    covered = words.hint(public, asked.seat, move, args) if is_true else hint
    return {
        "hint": say(hint, table.spoken_names, asked.language) if hint else "",
        "covered": say(covered, table.spoken_names, asked.language)
        if covered and covered != hint
        else "",
        "true": is_true,
    }


def _field(
    asked: Asked,
    move: str,
    name: str,
    choices: OneOf | Some,
    given: Json,
) -> Json:
    values = choices.one_of if isinstance(choices, OneOf) else choices.some
    field: Json = {
        "name": name,
        "label": term(asked.table.words, name, asked.language),
        "choices": [
            {
                **_choice(asked, move, name, value),
                **_notes(asked, move, {**given, name: value}),
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


def _choice(asked: Asked, move: str, name: str, value: Any) -> Json:
    table, language = asked.table, asked.language
    plain = value if type(value) is str else to_wire(value, table.names)
    if isinstance(value, Seat):
        own = value == asked.seat
        text = say(YOURSELF, language=language) if own else isolated(table.spoken_names[value])
    elif meaning := table.words.choice(asked.view, move, name, value):
        text = say(meaning, table.spoken_names, language)
    else:
        text = term(table.words, value, language)
    return {"value": str(plain).lower() if isinstance(plain, bool) else str(plain), "text": text}
