"""Template data with which a page adds to the luck of the next match (`static/luck.js`)."""

from __future__ import annotations

from msgspec import to_builtins

from games.engine.fairness import committed
from games.engine.mixed import agreement
from games.rooms.mixing_records import mixing_of
from games.tables.serializers import mixing, options
from games.tables.table import Json, Table
from games.wire.wire import to_text


def region(table: Table) -> Json:
    """Return what everybody at the table is shown of the luck: the commitment and the list of the
    next match, lists that are void, and what was agreed for the match that has just begun.
    """
    is_open = not (table.playing or table.parked or table.policy.continuous)
    agreed = _agreed(table)
    return {
        "open": is_open,
        "commitment": committed(table.room) if is_open else "",
        "list": _list(table),
        "voids": "" if table.playing and not agreed else _voids(table),
        "agreed": agreed,
    }


def _list(table: Table) -> str:
    """Return the list that waits for secrets, or "" if there is none."""
    shown = mixing(table)
    if shown is None or shown.list_ is None:
        return ""
    return to_text({**to_builtins(shown), **_about(table)})


def _voids(table: Table) -> str:
    """Return the void lists of the newest start, and who was missing.

    A page that has opened its share expects that the match begins, or that its list is here.
    """
    found = mixing_of(table.room)
    if found is None or not found.voids:
        return ""
    return to_text([{"list": one.listed, "missing": one.missing} for one in found.voids])


def _agreed(table: Table) -> str:
    """Return what was agreed for a match that has just begun.

    Later, pages that were open have checked it, and others cannot.
    """
    match = table.match
    if match is None or not table.playing or match.row.version > 1:
        return ""
    agreed = agreement(match.row, match.names)
    return "" if agreed is None else to_text({**agreed, **_about(table)})


def _about(table: Table) -> Json:
    """Return what else the hash of a list is made of."""
    return {"game": table.room.game, "options": to_builtins(options(table))}
