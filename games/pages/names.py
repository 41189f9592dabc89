"""Short names for seats, buttons and the end of a match, where space is limited."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup, escape

from accounts.isolation import isolated
from games.engine.table_policy import BOT
from games.pages.region import once
from games.tables.table import Table

UNCUT = 5
"""Length in letters of the longest name that fits everywhere."""
BEGINNING = 3
"""Minimum letters that stay visible."""
CUT = Markup('<b class="cut"><i>{}</i>{}</b>')
"""The beginning and the rest of a name.

Screen readers would read two words, so the parent element needs an `aria-label`.
"""


def short(name: str) -> str:
    """Return a name without "(bot)", for comparisons. Pages use the filter `shown` instead."""
    return name.removesuffix(BOT)


def fitted(table: Table, name: str) -> Markup:
    """Return a name that differs visibly from the others at the table, even if space is limited."""
    labels = once(table, "labels", lambda: told_apart(_names(table)))
    return labels.get(short(name)) or escape(isolated(short(name)))


def _names(table: Table) -> tuple[str, ...]:
    sitting = (member.name for member in table.members if not member.spectator)
    return tuple(sorted({short(name) for name in (*table.names, *sitting)}))


@lru_cache(maxsize=1000)
def told_apart(names: tuple[str, ...]) -> Mapping[str, Markup]:
    """Return a distinct label for each name.

    A label is the name, which may be cut at its end, or `CUT` before the letters that differ from a
    name with the same beginning ("C…ian" and "C…ina").
    """
    return {name: _label(name, names) for name in names}


def _label(name: str, names: tuple[str, ...]) -> Markup:
    if len(name) <= UNCUT or not _is_plain(name):
        return escape(isolated(name))
    shared = [_shared(name, other) for other in names if other != name]
    apart = max(shared, default=0)
    if apart < BEGINNING:
        return escape(name)
    start = min(apart, len(name) - BEGINNING)
    return CUT.format(name[:start], name[start:])


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two names."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_plain(name: str) -> bool:
    """Whether a name may be cut at any character.

    It must run left to right, and each character must be a letter.
    """
    if not name.isascii() and isolated(name) != name:
        return False
    return all(letter.isalnum() or letter in " .-_'" for letter in name)
