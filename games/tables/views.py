"""Views and offers of seats, as the game's objects and as parts of packets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import UNSET

from games.contract import core
from games.contract.data import Seat, Viewer
from games.tables.table import Table, per_table
from games.wire import parts
from games.wire.wire import to_wire

Json = dict[str, Any]


@per_table
def view_of(table: Table, seat: Viewer) -> Any:
    """Return the view of a seat in the match as an object of the game."""
    assert table.match is not None
    return table.match.game.rules.view(table.match.state, seat)


def viewer_of(table: Table, seat: Viewer) -> Viewer:
    """Return the seat, or None if it sees no more than the gallery, which is often the case."""
    return None if view_of(table, seat) == view_of(table, None) else seat


def view_data(table: Table, seat: Viewer) -> Json | None:
    """Return a seat's view as plain data, without `players`. A `seat` of None is the gallery."""
    if table.match is None:
        return table.display.view if table.display else None
    return _view_data(table, viewer_of(table, seat))


@per_table
def _view_data(table: Table, viewer: Viewer) -> Json:
    plain: Json = to_wire(view_fields(table, viewer), table.names)
    return plain


def view_difference(table: Table, view: Any, public: Any) -> Json:
    """Return the fields of a view that differ from the gallery's, by their wire names."""
    kind: Any = type(view)
    own = {
        sent: value
        for name, sent in _sent_of(kind)
        if (value := getattr(view, name)) is not UNSET and value != getattr(public, name)
    }
    plain: Json = to_wire(own, table.names)
    return plain


@per_table
def view_fields(table: Table, seat: Viewer) -> Json:
    """Return the fields of a seat's view by their wire names, without `players`."""
    view = view_of(table, seat)
    kind: Any = type(view)
    found = {sent: getattr(view, name) for name, sent in _sent_of(kind)}
    return {sent: of for sent, of in found.items() if of is not UNSET}


@cache
def _sent_of(view: Any) -> tuple[tuple[str, str], ...]:
    """Return the fields of a view by their wire names, except `players`."""
    names = zip(view.__struct_fields__, view.__struct_encode_fields__, strict=True)
    return tuple((name, sent) for name, sent in names if name != "players")


@per_table
def offers_of(table: Table, seat: Seat) -> tuple[core.Offer, ...]:
    """Return the game's offers to a seat, for programs and pages."""
    assert table.match is not None
    return table.match.game.rules.offers(table.match.state, seat)


def offers(table: Table, acting: Viewer) -> tuple[parts.Offer, ...]:
    """Return all offers to this seat as parts of packets."""
    if table.match is None or acting is None:
        return ()
    return tuple(
        parts.Offer(
            move=offer.move,
            args={name: _choices(choices, table.names) for name, choices in offer.args.items()},
            risky=offer.risky,
        )
        for offer in offers_of(table, acting)
    )


def _choices(choices: core.OneOf | core.Some, names: Sequence[str]) -> parts.OneOf | parts.Some:
    if isinstance(choices, core.OneOf):
        return parts.OneOf(_values(choices.one_of, names))
    return parts.Some(
        some=_values(choices.some, names),
        least=choices.least,
        most=choices.most,
        ordered=choices.ordered,
    )


def _values(values: Sequence[core.Choice], names: Sequence[str]) -> tuple[str | int | bool, ...]:
    return tuple(names[value] if isinstance(value, Seat) else value for value in values)
