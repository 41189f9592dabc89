"""The members with a chair at a table, their public facts, and who looks at what was dealt."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import to_builtins

from games.contract.data import Viewer
from games.engine import timing
from games.pages.templating import fields_shown
from games.tables.people import players, seats_of
from games.tables.table import Json, Table, per_table
from games.tables.views import view_data
from games.wire import parts

NO_FACTS = frozenset(parts.Player.__struct_encode_fields__)
"""Fields of `players` that do not come from the game."""


def drawn_view(table: Table, seat: Viewer, region: str) -> Json | None:
    """Return the fields of a seat's view that this region can show. A `seat` of None is the
    gallery.
    """
    view, named = view_data(table, seat), fields_shown(table.game.slug, region)
    if view is None or named is None:
        return view
    return {name: value for name, value in view.items() if name in named}


def at_the_table(table: Table) -> Iterator[parts.Player]:
    """Return the entries of the members with a chair.

    These are the seats of a running or finished match. Before a match, they are all members except
    spectators.
    """
    if table.match is not None and table.match.over:
        return seats_of(table, table.match)
    return (one for one in players(table) if not one.is_spectator or one.seat is not None)


def facts_of(table: Table, player: parts.Player) -> Json:
    """Return the game's public facts in an entry of `players`."""
    return table.reuse(
        ("facts of", player.username),
        (player,),
        lambda: {k: value for k, value in to_builtins(player).items() if k not in NO_FACTS},
    )


@per_table
def facts_by_name(table: Table) -> dict[str, Json]:
    """Return the public facts of all players in the running or finished match, by name."""
    seated = (one for one in at_the_table(table) if one.seat is not None)
    return {one.username: facts_of(table, one) for one in seated}


@per_table
def dealt(table: Table) -> Json | None:
    """Return how many players have looked and who has not, or None outside the time to look."""
    match = table.match
    if match is None or not table.playing or not timing.deal_is_on(match.row):
        return None
    unread = timing.deal_unread(match.players, table.looking, timing.deal_seen(match.row))
    seats = len(match.players)
    reading = [table.names[seat] for seat in unread]
    return {"looked": seats - len(reading), "seats": seats, "reading": reading}
