"""Matches that this code cannot read, such as matches of a newer version.

The clock skips them for a while.
"""

from __future__ import annotations

import logging

from games.engine import notifications
from games.engine.snapshots import Parked
from games.engine.time_source import source
from games.models import Match

log = logging.getLogger(__name__)

PARKED_FOR = 10.0
"""Seconds before another attempt to read a parked match."""


class ParkedMatches:
    """The parked matches that the clock skips, with the time of the next attempt to read each."""

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def now(self) -> list[int]:
        """Return the ids of the matches to skip now."""
        now = source.monotonic()
        return [match_id for match_id, until in self._until.items() if until > now]

    def put(self, match_id: int, parked: Parked) -> None:
        """Park a match. The first time, log the fault and show it at the match's table."""
        if match_id not in self._until:
            why = parked.__cause__ or parked
            log.error("match %s is parked: it cannot be read here (%r)", match_id, why)
            _show_anew(match_id)
        self._until[match_id] = source.monotonic() + PARKED_FOR

    def goes_on(self, match_id: int) -> None:
        """Unpark a match that can be read again, and show the change at its table."""
        if self._until.pop(match_id, None) is not None:
            log.info("match %s continues", match_id)
            _show_anew(match_id)


def _show_anew(match_id: int) -> None:
    """Update the table of a match for everybody who is viewing it."""
    notifications.notify_room_changed(
        Match.objects.values_list("room_id", flat=True).get(pk=match_id)
    )
