"""Regions, which make up a page, and their caches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from games.tables.table import Json, Table

T = TypeVar("T")


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


def kept(table: Table, key: Any, inputs: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Return the cached object for `key` if it was made from equal inputs. Otherwise make a new
    one.

    The cache lasts while only acts are added. Successive tables share its objects, so they compare
    by identity.
    """
    known = table.carried.get(key)
    if known is None or known[0] != inputs:
        known = table.carried[key] = (inputs, make())
    made: T = known[1]
    return made


def once(table: Table, key: Any, make: Callable[[], T]) -> T:
    """Return the object for `key`, made once per table and shared by all viewers."""
    if key not in table.made:
        table.made[key] = make()
    made: T = table.made[key]
    return made


def shared(table: Table, language: str, region: Region) -> Region:
    """Return the same region for all viewers who get equal data, so that it is rendered once."""
    same = msgspec.json.encode(region.part, enc_hook=str, order="sorted")
    return once(table, ("shared", language, region.id, same), lambda: region)
