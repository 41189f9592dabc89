"""Information and actions for members who are not in the running match."""

from __future__ import annotations

from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.rooms.new_game import NewGame
from games.tables.serializers import skip
from games.tables.table import Table, per_loading, per_table
from games.wire.commands import LeaveForNewGame


def region(table: Table, viewpoint: Viewpoint) -> Region:
    """Return whether the viewer is out or watching, and the new game that they can join."""
    if (
        viewpoint.spectator is None
        or viewpoint.acting is not None
        or not table.playing
        or table.parked
    ):
        return _nobody(table)
    is_out = viewpoint.seat is not None
    return _spectating(
        table,
        is_out,
        viewpoint.spectator,
        viewpoint.is_host,
        viewpoint.new_game,
        viewpoint.language,
    )


@per_loading
def _nobody(table: Table) -> Region:
    return Region("spectating", "spectating", {"shown": False})


@per_table
def _spectating(
    table: Table, out: bool, spectator: bool, host: bool, new: NewGame | None, language: str
) -> Region:
    policy = table.policy
    is_left_to_bots = table.match is not None and table.match.only_bots
    asked = skip(table) if is_left_to_bots else None
    free = not policy.continuous and LeaveForNewGame.__name__ not in policy.forbidden
    part = {
        "shown": True,
        "out": table.match is not None and out,
        "next": not policy.continuous and not spectator,
        "free": free,
        "others": _free(table) > 1,
        "bots": is_left_to_bots,
        "paused": table.pause is not None,
        "skip": None if asked is None else {"by": len(asked.by), "needed": asked.needed},
        "skipping": asked is not None and asked.granted,
        "host": host,
        "new": None if new is None else {"code": new.code, "host": new.host},
    }
    key = ("spectating", out, spectator, host, new, language)
    return table.reuse(key, (part,), lambda: Region("spectating", "spectating", part))


def _free(table: Table) -> int:
    """Return how many members, including the viewer, could leave for a new game."""
    people = (member.user_id for member in table.members if member.user_id is not None)
    return sum(table.acting(user_id) is None for user_id in people)
