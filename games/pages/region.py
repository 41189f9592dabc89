"""What a page is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from games.tables.table import Json, Table

T = TypeVar("T")


class Region(msgspec.Struct, frozen=True, eq=False):
    """A part of the page: the id of its element, its template, and all the template is given.

    `items`: elements in it that are regions themselves. Where nothing but some of them has changed,
    these alone are drawn and sent.
    """

    id: str
    template: str
    part: Json
    items: tuple[Region, ...] = ()
    pieces: dict[str, Region] = {}
    """What stands in it, and in others, without an element of its own: drawn once for all."""
    drawn: dict[str, str] = {}
    """As HTML, by language, once somebody was sent it."""


def kept(table: Table, key: Any, inputs: tuple[Any, ...], make: Callable[[], T]) -> T:
    """What was made of the same inputs before, as long as nothing but acts is added; else anew.

    What two tables keep is one object, so that comparing them costs nothing.
    """
    known = table.carried.get(key)
    if known is None or known[0] != inputs:
        known = table.carried[key] = (inputs, make())
    made: T = known[1]
    return made


def once(table: Table, key: Any, make: Callable[[], T]) -> T:
    """What is made of this table for everybody who is shown it."""
    if key not in table.made:
        table.made[key] = make()
    made: T = table.made[key]
    return made


def shared(table: Table, language: str, region: Region) -> Region:
    """The same region for all viewpoints from which its part is equal, so that it is drawn once."""
    same = msgspec.json.encode(region.part, enc_hook=str, order="sorted")
    return once(table, ("shared", language, region.id, same), lambda: region)
