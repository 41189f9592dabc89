"""Information and actions for members who are not in the running match."""

from __future__ import annotations

from games.pages.region import Region, kept, once
from games.pages.viewpoint import Viewpoint
from games.tables.serializers import skip
from games.tables.table import Json, Table

NOBODY: Json = {"shown": False}


def region(table: Table, eyes: Viewpoint) -> Region:
    """Return whether the viewer is out or watching, and the new game that they can join."""
    if eyes.spectator is None or eyes.acting is not None or not table.playing or table.parked:
        return kept(table, "nobody spectates", (), lambda: _region(NOBODY))
    looks = (eyes.seat is None, eyes.spectator, eyes.is_host, eyes.new_game)
    key = ("spectating", looks, eyes.language)

    def as_before() -> Region:
        part = _part(table, eyes)
        return kept(table, key, (part,), lambda: _region(part))

    return once(table, key, as_before)


def _region(part: Json) -> Region:
    return Region("spectating", "spectating", part)


def _part(table: Table, eyes: Viewpoint) -> Json:
    match, new, asked = table.match, eyes.new_game, skip(table)
    free = not table.policy.continuous
    return {
        "shown": True,
        "out": match is not None and eyes.seat is not None,
        "next": free and not eyes.spectator,
        "free": free,
        "others": _free(table) > 1,
        "bots": match is not None and match.only_bots,
        "paused": table.pause is not None,
        "skip": None if asked is None else {"by": len(asked.by), "needed": asked.needed},
        "skipping": asked is not None and asked.granted,
        "host": eyes.is_host,
        "new": None if new is None else {"code": new.code, "host": new.host},
    }


def _free(table: Table) -> int:
    """Return how many members, including the viewer, could leave for a new game."""
    people = (member.user_id for member in table.members if member.user_id is not None)
    return sum(table.acting(user_id) is None for user_id in people)
