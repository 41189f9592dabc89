"""The regions of a replay: the table at one version, seen through any seat."""

from __future__ import annotations

from games.contract.data import Viewer
from games.pages import actions, board, hand, seats, status
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.tables.table import Table


def regions(table: Table, seat: Viewer, language: str) -> tuple[Region, ...]:
    """Return the regions as this seat saw them. A `seat` of None is the gallery."""
    viewpoint = through(table, seat, language)
    silent = viewpoint._replace(acting=None)  # nobody can claim anything in a replay
    return (
        status.still(table, viewpoint),
        seats.region(table, viewpoint),
        board(table, language),
        hand(table, silent),
        actions.region(table, viewpoint),
    )


def through(table: Table, seat: Viewer, language: str) -> Viewpoint:
    """Return the viewpoint of a seat for any viewer of its replay.

    Like a big screen, it opens no sheets about members.
    """
    return Viewpoint(
        seat=seat,
        acting=seat if seat in table.in_play else None,
        name=table.names[seat] if seat is not None else None,
        is_host=False,
        spectator=None,
        muted=frozenset(),
        ballot=None,
        no_seat=False,
        new_game=None,
        language=language,
    )
