"""Distinct faces for the members of a table."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.faces import address, address_of, preset, told_apart
from games.models import Member, Player
from games.pages.region import kept
from games.tables.table import Table


def face_at(table: Table, name: str, bot: bool = False) -> str:
    """Return the path of the picture of the player with this name.

    If there is none at this table, derive it from the name.
    """
    match = table.match
    seated = match.players if match else ()
    faces = kept(table, ("faces",), seated, lambda: told_apart(_wanted(table, seated)))
    return address(faces[name]) if name in faces else address_of(name, bot)


def _wanted(table: Table, seated: tuple[Player, ...]) -> Iterator[tuple[str, str]]:
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
            yield one.name, (person.face if person else "") or preset(one.name, bool(one.bot))
