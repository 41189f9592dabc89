"""Template data with which a page adds to the luck of the next match (`static/luck.js`)."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from games.engine.fairness import committed
from games.engine.mixed import agreement
from games.rooms.mixing_records import running_mixing
from games.tables.serializers import mixing, options
from games.tables.table import Json, Table
from games.wire.wire import to_text


def region(table: Table) -> Json:
    """Return what everybody at the table is shown of the luck: the commitment and the list of the
    next match, and what was agreed for the one that has just begun.
    """
    if table.policy.continuous or table.parked:
        return {"open": False}
    return {
        "open": not table.playing,
        "commitment": "" if table.playing else committed(table.room),
        "list": _list(table),
        "agreed": _agreed(table),
    }


def _list(table: Table) -> str:
    """Return the list that waits for secrets, and who missed an earlier one of this start."""
    now, shown = running_mixing(table.room), mixing(table)
    if now is None or shown is None:
        return ""
    lost = [{"list": one.listed, "missing": list(one.missing)} for one in now.voids if one.missing]
    listed: dict[str, Any] = {**to_builtins(shown), "options": to_builtins(options(table))}
    return to_text({**listed, "game": table.room.game, "voids": lost})


def _agreed(table: Table) -> str:
    """Return what was agreed for a match that has just begun.

    Later, pages that were open have checked it, and others cannot.
    """
    match = table.match
    if match is None or not table.playing or match.row.version > 1:
        return ""
    agreed = agreement(match.row, match.names)
    if agreed is None or not any(one["secret"] for one in agreed["seats"]):
        return ""
    secrets = [{"secret": one["secret"]} for one in agreed["seats"]]
    return to_text({"list": agreed["list"], "code": agreed["code"], "seats": secrets})
