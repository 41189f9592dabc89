"""The scores of the evening: template data."""

from __future__ import annotations

from games.engine.table_policy import BOT
from games.pages.names import face_at
from games.rooms.evening import names_now
from games.tables.table import Json, Table


def scores(table: Table) -> list[Json]:
    """Return the scores of everybody who has played at this table, best first. Equal scores share a
    place.
    """
    if not table.evening:
        return []
    newest = names_now(table.evening, table.members, "newest")
    points = names_now(table.evening, table.members)
    ranked = sorted(points.items(), key=lambda one: (-one[1], one[0]))
    return [
        {
            "picture": face_at(table, name, name.endswith(BOT)),
            "place": 1 + sum(other > won for other in points.values()),
            "name": name,
            "points": won,
            "newest": newest[name],
        }
        for name, won in ranked
    ]


def region(table: Table) -> Json:
    """Return the scores for the waiting room. After a match they are shown with the result."""
    between = table.match is None and not table.playing
    return {"scores": scores(table) if between else []}
