"""Public markers shown at a Secret Hitler seat: placard, ballot and term limit."""

from collections.abc import Mapping
from typing import Any

from games.contract.data import Seat
from games.secret_hitler.rules.state import View


def at_seat(view: View, seat: Seat) -> Mapping[str, Any]:
    """Return the template context of the markers at a seat.

    The placard is `elected` once the vote has passed. `limited` means that a term limit applies.

    A ballot is `in` while the vote runs, then `ja` or `nein` until the next vote begins.
    """
    placard = _placard(view, seat)
    return {
        "placard": placard,
        "elected": placard is not None and view.phase not in ("nominate", "discuss", "vote"),
        "ballot": _ballot(view, seat),
        "limited": _limited(view, seat),
    }


def _placard(view: View, seat: Seat) -> str | None:
    if view.phase == "over":
        return None
    if seat == view.candidate:
        return "president"
    return "chancellor" if seat == view.chancellor else None


def _ballot(view: View, seat: Seat) -> str | None:
    if seat in view.voted:
        return "in"
    if view.votes is None or seat not in view.votes:
        return None
    return "ja" if view.votes[seat] else "nein"


def _limited(view: View, seat: Seat) -> bool:
    asked = view.phase == "nominate" and view.players[seat].alive and seat != view.candidate
    return asked and seat not in view.eligible
