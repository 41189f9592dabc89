"""What an endpoint may be sent before it has sent back a token (docs/rules/mia.md rule 34a).

Source addresses can be forged: anyone who is registered by somebody else is sent a few KB, no more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

Endpoint = tuple[str, int]
"""An IP address and a port."""

MOST_BYTES = 4096
RENEWED = 60.0
"""Seconds after which registering again grants a new allowance."""
LARGE = 1200
"""Lines of so many bytes go only to endpoints that have answered in the same round."""
MOST_KEPT = 4096
"""So many endpoints are remembered. Making us forget one takes more bytes than it brings it."""


@dataclass
class Allowance:
    """What has been sent to an endpoint that has proved nothing yet, since when."""

    since: float
    spent: int = 0

    def take(self, size: int) -> bool:
        """Whether so many bytes may be sent; the first that may not are the end of it."""
        if self.spent + size > MOST_BYTES:
            self.spent = MOST_BYTES
            return False
        self.spent += size
        return True

    @property
    def used_up(self) -> bool:
        return self.spent >= MOST_BYTES

    @property
    def fresh(self) -> bool:
        """Whether it is too early for a new one."""
        return time.monotonic() - self.since < RENEWED


class Allowances:
    """Those of the last minute, by endpoint."""

    def __init__(self) -> None:
        self._kept: dict[Endpoint, Allowance] = {}

    def grant(self, endpoint: Endpoint, before: Allowance | None = None) -> Allowance:
        """For a registration from there. `before` is what the same name had elsewhere.

        Within a minute neither another name nor another port gets more.
        """
        known = [one for one in (self._kept.get(endpoint), before) if one is not None and one.fresh]
        granted = max(known, key=lambda one: one.spent, default=None)
        if granted is None:
            granted = Allowance(time.monotonic())
        self._kept.pop(endpoint, None)
        self._drop_old()
        self._kept[endpoint] = granted
        return granted

    def _drop_old(self) -> None:
        """Those that are over, and the oldest where it would be too many: never a newcomer."""
        while self._kept:
            oldest = next(iter(self._kept))
            if self._kept[oldest].fresh and len(self._kept) < MOST_KEPT:
                return
            del self._kept[oldest]
