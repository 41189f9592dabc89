"""What a page is made of."""

from __future__ import annotations

from dataclasses import dataclass

from games.tables.table import Json


@dataclass(frozen=True)
class Region:
    """A part of the page: the id of its element, its template, and all the template is given.

    `items`: elements in it that are regions themselves. Where nothing but some of them has changed,
    these alone are drawn and sent.
    """

    id: str
    template: str
    part: Json
    items: tuple[Region, ...] = ()
