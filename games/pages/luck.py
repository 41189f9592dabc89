"""Template data with which a page adds to the luck of the next match, and notices if a server
tries to choose it (`static/luck.js`).
"""

from __future__ import annotations

from msgspec import to_builtins

from games.contract.luck import commitment
from games.engine.fairness import committed
from games.engine.mixed import agreement
from games.tables.serializers import mixing, options, voids
from games.tables.table import Json, Table
from games.wire.wire import to_text


def region(table: Table) -> Json:
    """Return what everybody at the table is shown of the luck: the commitment and the list of the
    next match, lists that are void, and what was agreed for the running or last match.
    """
    is_open = not (table.playing or table.parked or table.policy.continuous)
    lost = voids(table)
    return {
        "parked": table.parked,
        "commitment": committed(table.room) if is_open else "",
        "list": _list(table),
        "voids": to_text(lost) if lost else "",
        "agreed": _agreed(table),
    }


def _list(table: Table) -> str:
    """Return the list that waits for secrets, or "" if there is none."""
    shown = mixing(table)
    if shown is None or shown.list_ is None:
        return ""
    return to_text({**to_builtins(shown), **_about(table)})


def _agreed(table: Table) -> str:
    """Return what was agreed for the running or last match. Pages that come back compare its list
    with the one they have opened. Only pages that were there from the start check everything.
    """
    if table.match is None:
        return ""
    row = table.match.row
    shown = {"commitment": commitment(bytes.fromhex(row.secret))}
    if row.mixed is None:
        return to_text(shown)
    if not table.playing or row.version > 1:
        return to_text({**shown, "list": row.mixed["list"]})
    return to_text({**shown, **(agreement(row, table.match.names) or {}), **_about(table)})


def _about(table: Table) -> Json:
    """Return what else the hash of a list is made of."""
    return {"game": table.room.game, "options": to_builtins(options(table))}
