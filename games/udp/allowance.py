"""Limits what an endpoint is sent before it returns a token (docs/rules/mia.md rule 34a).

Source addresses can be forged, so a victim of a forged registration gets at most a few KB.
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
"""Lines of this many bytes or more go only to endpoints that have answered in the same round."""
MOST_KEPT = 4096
"""Maximum endpoints remembered. An attacker must send more than it gains to evict one."""


@dataclass
class Allowance:
    """Bytes sent to an endpoint that has not returned a token, and the start of counting."""

    since: float
    spent: int = 0

    def take(self, size: int) -> bool:
        """Whether `size` more bytes may be sent. After the first refusal nothing more may."""
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
    """Allowances of the last minute, by endpoint."""

    def __init__(self) -> None:
        self._kept: dict[Endpoint, Allowance] = {}

    def grant(self, endpoint: Endpoint, before: Allowance | None = None) -> Allowance:
        """Return the allowance for a registration. `before` is that of the same name elsewhere.

        Within a minute, another name or another port does not bring a new one.
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
        """Drop expired allowances, and the oldest if there are too many."""
        while self._kept:
            oldest = next(iter(self._kept))
            if self._kept[oldest].fresh and len(self._kept) < MOST_KEPT:
                return
            del self._kept[oldest]
