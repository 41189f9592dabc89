"""What the end of a round has changed at a seat of Mia: a page keeps it back with the result."""

from collections.abc import Mapping
from typing import Any

from games.rules.data import Seat
from games.rules.mia.state import MiaView


def at_seat(view: MiaView, seat: Seat) -> Mapping[str, Any]:
    """Return how many lives the end of the round has cost the seat, and whether it got a point."""
    lost = view.lost
    if lost is None:
        return {"paid": 0, "won": False}
    pays = seat in lost.usernames
    counts = view.players[seat].points is not None
    return {
        "paid": lost.paid.get(seat, 0),
        "won": counts and not pays and seat in view.order,
    }
