"""The players who have looked at their cards or role (`games.engine.dealing`)."""

from __future__ import annotations

from games.engine import dealing
from games.pages.region import once
from games.tables.table import Json, Table


def dealt(table: Table) -> Json | None:
    """Return how many players have looked and who has not, or None outside the time to look."""
    match = table.match
    if match is None or not table.playing or not dealing.is_on(match.row):
        return None
    row, names = match.row, table.names

    def made() -> Json:
        unread = dealing.unread(match.players, table.looking, dealing.seen(row))
        seats = len(match.players)
        reading = [names[seat] for seat in unread]
        return {"looked": seats - len(reading), "seats": seats, "reading": reading}

    return once(table, "dealt", made)
