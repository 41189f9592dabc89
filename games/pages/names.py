"""How players are shown: distinct faces, and short names where space is limited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from markupsafe import Markup, escape

from accounts import faces
from accounts.isolation import isolated
from games.engine.table_policy import BOT
from games.models import Member, Player
from games.tables.table import Table, per_table

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
    return _labels(table).get(short(name)) or escape(isolated(short(name)))


@per_table
def _labels(table: Table) -> Mapping[str, Markup]:
    sitting = (member.name for member in table.members if not member.spectator)
    return told_apart(tuple(sorted({short(name) for name in (*table.names, *sitting)})))


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


def face_at(table: Table, name: str, bot: bool = False) -> str:
    """Return the path of the picture of the player with this name.

    If there is none at this table, derive it from the name.
    """
    seated = table.match.players if table.match else ()
    found = table.reuse("faces", seated, lambda: _addresses(table, seated))
    return found.get(name) or faces.address_of(name, bot)


def _addresses(table: Table, seated: tuple[Player, ...]) -> dict[str, str]:
    told_apart = faces.told_apart(_faces(table, seated))
    return {name: faces.address(face) for name, face in told_apart.items()}


def _faces(table: Table, seated: tuple[Player, ...]) -> Iterator[tuple[str, str]]:
    """Yield players in seat order, then other members, each with the chosen face or the default
    one.
    """
    people = {member.user_id: member.user for member in (*table.members, *table.gone)}
    seen = set()
    everybody: tuple[Player | Member, ...] = (*seated, *table.members)
    for one in everybody:
        if one.name not in seen:
            seen.add(one.name)
            person = people.get(one.user_id) if not one.bot else None
            yield one.name, (person.face if person else "") or faces.preset(one.name, bool(one.bot))
