"""Matches that this code cannot read, such as those of a newer version: left alone for a while."""

from __future__ import annotations

import logging

from games.engine import notifications
from games.engine.snapshots import Parked
from games.engine.time_source import source
from games.models import Match

log = logging.getLogger(__name__)

PARKED_FOR = 10.0
"""So many seconds a match that cannot be read is left alone before it is tried again."""


class ParkedMatches:
    """Those met so far, and until when each is left alone."""

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def now(self) -> list[int]:
        """Those to be left alone."""
        now = source.monotonic()
        return [match_id for match_id, until in self._until.items() if until > now]

    def put(self, match_id: int, parked: Parked) -> None:
        """Leave a match alone; say so once, also to anyone who looks at its table."""
        if match_id not in self._until:
            why = parked.__cause__ or parked
            log.error("match %s is parked: it cannot be read here (%r)", match_id, why)
            _show_anew(match_id)
        self._until[match_id] = source.monotonic() + PARKED_FOR

    def goes_on(self, match_id: int) -> None:
        """It could be read: anyone who looks at its table sees it again."""
        if self._until.pop(match_id, None) is not None:
            log.info("match %s goes on", match_id)
            _show_anew(match_id)


def _show_anew(match_id: int) -> None:
    """Anyone who looks at the table of a match is shown it as it is now."""
    notifications.notify_room_changed(
        Match.objects.values_list("room_id", flat=True).get(pk=match_id)
    )
