"""Limits the bytes sent to an endpoint before it returns a token (docs/rules/mia.md rule 34a).

Source addresses can be forged. Because of this limit, the victim of a forged registration receives
at most a few KB.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

Endpoint = tuple[str, int]
"""An IP address and a port."""

MOST_BYTES = 4096
RENEWED = 60.0
"""Seconds until another registration grants a new allowance."""
LARGE = 1200
"""Minimum bytes of lines that are sent only to endpoints that have answered in the same round."""
MOST_KEPT = 4096
"""Maximum endpoints remembered. Evicting one costs an attacker more than it gains."""


@dataclass
class Allowance:
    """Bytes sent, since the time `since`, to an endpoint that has not returned a token."""

    since: float
    spent: int = 0

    def take(self, size: int) -> bool:
        """Return whether `size` more bytes may be sent, and count them if so.

        After the first refusal, no more bytes may be sent.
        """
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
        """Whether this allowance is too recent to be replaced by a new one."""
        return time.monotonic() - self.since < RENEWED


class Allowances:
    """Allowances of the last minute, by endpoint."""

    def __init__(self) -> None:
        self._kept: dict[Endpoint, Allowance] = {}

    def grant(self, endpoint: Endpoint, before: Allowance | None = None) -> Allowance:
        """Return the allowance of an endpoint that registers a name.

        `before` is the allowance that the same name has at another endpoint.

        Registering another name or port within a minute does not give a new allowance.
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
        """Drop expired allowances. If there are still too many, drop the oldest."""
        while self._kept:
            oldest = next(iter(self._kept))
            if self._kept[oldest].fresh and len(self._kept) < MOST_KEPT:
                return
            del self._kept[oldest]
