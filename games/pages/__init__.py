"""The regions of a table page, with the template data that one viewer may see.

First load, reconnect and push all use `regions` and the lists in `lines`. Regions are made for a
`Viewpoint`, so viewers who see the same share them. An unchanged region is the same object as
before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from django.conf import settings
from django.utils.translation import get_language

from games.contract.data import Seat
from games.pages import (
    actions,
    beforehand,
    coach,
    ending,
    evening,
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
from games.pages.region import Region, kept, once, shared
from games.pages.viewpoint import Viewpoint, viewpoint
from games.rooms.claims import judged, unsaid
from games.tables.table import Json, Table
from games.tables.views import view_difference, view_of

Regions = tuple[Region, ...]
NOTHING: Json = {"view": {}, "claims": [], "unread": None}
"""An empty hand."""


def regions(table: Table, user_id: int | None) -> Iterator[Region]:
    """Return every region of a user's page, in the active language. Without a user, return the
    regions of a big screen.
    """
    eyes = viewpoint(table, user_id, get_language() or settings.LANGUAGE_CODE)
    return chain(of_match(table, eyes), of_room(table, eyes))


def of_match(table: Table, eyes: Viewpoint) -> Regions:
    """Return the regions that an act can change. Their order is fixed."""

    def made() -> Regions:
        public = (
            status.region(table, eyes),
            seats.region(table, eyes),
            board(table, eyes.language),
            _ending(table, eyes),
        )
        if eyes.is_screen:
            return public
        return (
            *public,
            hand(table, eyes),
            actions.region(table, eyes),
            spectating.region(table, eyes),
            coach.tip(table, eyes),
            coach.hint(table, eyes),
        )

    return once(table, ("of match", eyes), made)


def of_room(table: Table, eyes: Viewpoint) -> Regions:
    """Return the regions that depend on the room and its members. Their order is fixed."""

    def made() -> Regions:
        public = (
            _alike(table, eyes, "called", _called),
            legend(table),
            _alike(table, eyes, "standings", _standings),
            _alike(table, eyes, "evening", evening.region),
            Region("vote", "vote", vote.region(table, eyes)),
        )
        if eyes.is_screen:
            return public
        before = beforehand.setup(table, eyes)
        return (
            *public,
            _alike(table, eyes, "quick", quick.region),
            Region("setup", "setup", before),
            Region("options", "options", beforehand.options(table, eyes, before)),
            Region("house", "house", beforehand.house(table, before)),
            _alike(table, eyes, "manual", manual.region),
            Region("people", "people", people.region(table, eyes)),
            Region("asking", "asking", people.asking(table, eyes)),
        )

    return kept(table, ("of room", eyes), (), made)


def _alike(table: Table, eyes: Viewpoint, name: str, part: Callable[[Table], Json]) -> Region:
    """Return a region that is equal for all viewers who read the same language."""
    return once(table, (name, eyes.language), lambda: Region(name, name, part(table)))


def board(table: Table, language: str) -> Region:
    """Return the board, which is the same for everybody."""

    def as_before() -> Region:
        view = drawn_view(table, None, "board")
        inputs = (view, table.newest, table.awaited, dealt(table))

        def made() -> Region:
            return Region("board", "board", _public(table, view, language))

        return kept(table, key, inputs, made)

    key = ("board", language)
    return once(table, key, as_before)


def _public(table: Table, view: Json | None, language: str) -> Json:
    return {
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


def hand(table: Table, eyes: Viewpoint) -> Region:
    """Return the region of the viewer's private information, which the gallery does not see."""
    match, seat = table.match, eyes.seat
    if match is None or seat is None or not table.playing:
        return kept(table, "no hand", (), lambda: Region("hand", "hand", NOTHING))
    own, public = view_of(table, match, seat), view_of(table, match, None)
    view = view_difference(table, own, public) if own != public else {}
    claims = _claims(table, eyes.acting)

    def made() -> Region:
        return shared(table, eyes.language, Region("hand", "hand", part))

    looking = dealt(table)
    unread = None if looking is None else table.names[seat] in looking["reading"]
    part = {"view": view, "claims": claims, "unread": unread}
    return kept(table, ("hand", seat, eyes.language), (part,), made)


def _claims(table: Table, acting: Seat | None) -> list[Json]:
    if table.match is None or acting is None or table.match.game.rules.claims is None:
        return []
    return [
        {"kind": c.kind, "size": c.size, "values": list(c.values), "true": list(c.true)}
        for c in unsaid(table.match, acting, table.claims)
    ]


def _ending(table: Table, eyes: Viewpoint) -> Region:
    if table.match is None or not table.match.over:
        return kept(table, "no ending", (), lambda: Region("ending", "ending", {"outcome": None}))
    part = once(
        table, ("ending", eyes.seat, eyes.language), lambda: ending.region(table, eyes.seat)
    )
    return shared(table, eyes.language, Region("ending", "ending", part))


def _standings(table: Table) -> Json:
    """Return the region of a table's extra display."""
    if table.display is None:
        return {"shown": False}
    return {"shown": True, **table.display.region(table.words)}
