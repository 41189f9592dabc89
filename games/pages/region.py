"""Regions, which make up a page."""

from __future__ import annotations

import msgspec

from games.tables.table import Json, Table


class Region(msgspec.Struct, frozen=True, eq=False):
    """A part of the page: the id of its element, its template, and the template's data.

    `items` are elements of the region that are regions themselves. If only items have changed, only
    those are rendered and sent.
    """

    id: str
    template: str
    part: Json
    items: tuple[Region, ...] = ()
    pieces: dict[str, Region] = {}
    """Parts without an element, rendered once and shared with other regions."""
    drawn: dict[str, str] = {}
    """Cached HTML by language."""


def shared(table: Table, language: str, region: Region) -> Region:
    """Return the same region for all viewers who get equal data, so that it is rendered once."""
    same = msgspec.json.encode(region.part, enc_hook=str, order="sorted")
    found: Region = table.made.setdefault(("shared", language, region.id, same), region)
    return found
