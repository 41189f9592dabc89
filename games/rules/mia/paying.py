"""What the end of a round has changed at a seat of Mia: a page keeps it back with the result."""

from collections.abc import Mapping
from typing import Any

from games.rules.data import Seat
from games.rules.mia.state import MiaView


def at_seat(view: MiaView, seat: Seat) -> Mapping[str, Any]:
    """Return why the seat has lost the round (None: it has not), and whether it got a point."""
    lost = view.lost
    if lost is None:
        return {"lost": None, "won": False}
    pays = seat in lost.usernames
    counts = view.players[seat].points is not None
    return {
        "lost": lost.reason if pays else None,
        "won": counts and not pays and seat in view.order,
    }
