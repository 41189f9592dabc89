"""Template data with which a page adds to the luck of the next match, and notices if a server
tries to choose it (`static/luck.js`).
"""

from __future__ import annotations

from msgspec import to_builtins

from games.contract.luck import commitment
from games.engine.fairness import committed
from games.engine.mixed import agreement
from games.rooms.mixing_records import Void
from games.tables.serializers import known_voids, mixing, options
from games.tables.table import Json, Table
from games.wire.wire import to_text


def region(table: Table) -> Json:
    """Return what everybody at the table is shown of the luck: the commitment and the list of the
    next match, lists that are void, and what was agreed for the running or last match.
    """
    is_open = not (table.playing or table.parked or table.policy.continuous)
    lost = [_void(one) for one in known_voids(table)]
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
    about = {"game": table.room.game, "options": to_builtins(options(table))}
    return to_text({**to_builtins(shown), **about})


def _void(void: Void) -> Json:
    """Return a void list, with its commitment for pages that have not seen it before."""
    shown = {"list": void.listed, "missing": void.missing}
    shown |= {} if void.gone is None else {"gone": void.gone}
    return {**shown, "commitment": commitment(bytes.fromhex(void.server_seed))}


def _agreed(table: Table) -> str:
    """Return what was agreed for the running or last match. Pages compare it with the list that
    they have opened, also if they come back later.
    """
    if table.match is None:
        return ""
    row = table.match.row
    agreed = agreement(row, table.match.names) or {}
    if agreed and row.version > 1:  # pages are smaller without names and shares
        agreed["secrets"] = [one["secret"] for one in agreed.pop("seats")]
    return to_text({"commitment": commitment(bytes.fromhex(row.secret)), **agreed})
