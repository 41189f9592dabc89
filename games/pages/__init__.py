"""The regions of a table page, with the template data that one viewer may see.

First load, reconnect and push all use `regions` and the lists in `lines`. Regions are made for a
`Viewpoint`, so viewers who see the same share them. An unchanged region is the same object as
before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from django.conf import settings
from django.utils.translation import get_language

from games.contract.data import Viewer
from games.engine.snapshots import MatchSnapshot
from games.pages import (
    actions,
    beforehand,
    coach,
    ending,
    evening,
    luck,
    manual,
    people,
    quick,
    seats,
    spectating,
    status,
    vote,
)
from games.pages.beats import bubbles
from games.pages.files import parts_of
from games.pages.players import dealt, drawn_view, facts_by_name
from games.pages.region import Region, shared
from games.pages.viewpoint import Viewpoint, viewpoint_of
from games.rooms.claims import judged, unsaid
from games.tables.table import Json, Table, per_loading, per_table
from games.tables.views import view_difference, view_of

Regions = tuple[Region, ...]
EMPTY: Mapping[str, Json] = {
    "hand": {"view": {}, "claims": [], "unread": None},
    "ending": {"outcome": None},
}
"""Data of regions that have nothing to show."""


def regions(table: Table, user_id: int | None) -> Iterator[Region]:
    """Return every region of a user's page, in the active language. Without a user, return the
    regions of a big screen.
    """
    viewpoint = viewpoint_of(table, user_id, get_language() or settings.LANGUAGE_CODE)
    return chain(of_match(table, viewpoint), of_room(table, viewpoint))


@per_table
def of_match(table: Table, viewpoint: Viewpoint) -> Regions:
    """Return the regions that an act can change. Their order is fixed."""
    public = (
        status.region(table, viewpoint),
        seats.region(table, viewpoint),
        board(table, viewpoint.language),
        _ending(table, viewpoint),
    )
    if viewpoint.is_screen:
        return public
    return (
        *public,
        hand(table, viewpoint),
        actions.region(table, viewpoint),
        spectating.region(table, viewpoint),
        coach.tip(table, viewpoint),
        coach.hint(table, viewpoint),
    )


@per_loading
def of_room(table: Table, viewpoint: Viewpoint) -> Regions:
    """Return the regions that depend on the room and its members. Their order is fixed."""
    public = (
        _alike(table, "called", _called, viewpoint.language),
        legend(table),
        _alike(table, "standings", _standings, viewpoint.language),
        _alike(table, "evening", evening.region, viewpoint.language),
        Region("vote", "vote", vote.region(table, viewpoint)),
    )
    if viewpoint.is_screen:
        return public
    before = beforehand.setup(table, viewpoint)
    return (
        *public,
        _alike(table, "quick", quick.region, viewpoint.language),
        _alike(table, "luck", luck.region, viewpoint.language),
        Region("setup", "setup", before),
        Region("options", "options", beforehand.options(table, viewpoint, before)),
        Region("ruleset", "ruleset", beforehand.ruleset(table, before)),
        _alike(table, "manual", manual.region, viewpoint.language),
        Region("people", "people", people.region(table, viewpoint)),
        Region("asking", "asking", people.asking(table, viewpoint)),
    )


@per_table
def _alike(table: Table, name: str, part: Callable[[Table], Json], language: str) -> Region:
    """Return a region that is equal for all viewers who read the same language."""
    return Region(name, name, part(table))


@per_table
def board(table: Table, language: str) -> Region:
    """Return the board, which is the same for everybody."""
    view = drawn_view(table, None, "board")
    inputs = (view, table.newest, table.awaited, dealt(table))
    return table.reuse(("board", language), inputs, lambda: _board(table, view, language))


def _board(table: Table, view: Json | None, language: str) -> Region:
    part = {
        "view": view,
        "names": list(table.names),
        "awaited": [table.names[at] for at in table.awaited],
        "match": table.match.row.pk if table.match else None,
        "claims": judged(table.match, table.claims) if table.match and table.claims else [],
        "newest": table.newest.public if table.newest else [],
        "players": facts_by_name(table),
        "dealt": dealt(table),
        "said": bubbles(table, language),
    }
    return Region("board", "board", part)


def _called(table: Table) -> Json:
    """Return the data with which open pages switch to the table's current game."""
    slug = table.game.slug
    return {
        "slug": slug,
        "name": table.game.name,
        "parts": [*parts_of(slug).values()],
        "code": table.room.code,
    }


def legend(table: Table) -> Region:
    """Return the part of the board that does not change during a match."""
    return Region("legend", "legend", {"match": table.match.row.pk if table.match else None})


def hand(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region of the viewer's private information, which the gallery does not see."""
    match, seat = table.match, viewpoint.seat
    if match is None or seat is None or not table.playing:
        return _empty(table, "hand")
    own, public = view_of(table, seat), view_of(table, None)
    looking = dealt(table)
    part = {
        "view": view_difference(table, own, public) if own != public else {},
        "claims": []
        if match.game.rules.claims is None
        else _claims(table, match, viewpoint.acting),
        "unread": None if looking is None else table.names[seat] in looking["reading"],
    }
    return table.reuse(
        ("hand", seat, viewpoint.language),
        (part,),
        lambda: shared(table, viewpoint.language, Region("hand", "hand", part)),
    )


def _claims(table: Table, match: MatchSnapshot, acting: Viewer) -> list[Json]:
    if acting is None:
        return []
    return [
        {"kind": c.kind, "size": c.size, "values": list(c.values), "true": list(c.true)}
        for c in unsaid(match, acting, table.claims)
    ]


def _ending(table: Table, viewpoint: Viewpoint) -> Region:
    if table.match is None or not table.match.over:
        return _empty(table, "ending")
    return _ended(table, viewpoint.seat, viewpoint.language)


@per_table
def _ended(table: Table, seat: Viewer, language: str) -> Region:
    return shared(table, language, Region("ending", "ending", ending.region(table, seat)))


@per_loading
def _empty(table: Table, name: str) -> Region:
    """Return a region of a viewer to whom it has nothing to show."""
    return Region(name, name, EMPTY[name])


def _standings(table: Table) -> Json:
    """Return the region of a table's extra display."""
    if table.display is None:
        return {"shown": False}
    return {"shown": True, **table.display.region(table.words)}
