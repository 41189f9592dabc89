"""Endpoints that receive lines, with their activity and allowance."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from games.udp.allowance import Allowance, Endpoint

SILENT_ROUNDS = 40
"""After this many rounds without a datagram, an endpoint gets nothing until it sends one."""
UNANSWERED_ROUNDS = 3
"""After this many unanswered invitations, a name is not invited until it sends a datagram."""
SPEAKS = -1
SETTLED = 60.0
"""Seconds for which a name cannot be replaced although its endpoint is not proved."""
TOKENS = 32
"""Number of recent tokens with which a late answer can prove its endpoint."""


@dataclass(kw_only=True)
class Listener:
    """An endpoint that receives the lines for everybody."""

    endpoint: Endpoint | None = None
    silent: int = 0
    """Whole rounds since its last datagram. SPEAKS if it has sent one in this round."""
    allowance: Allowance | None = None
    """Its limit of bytes. None after it has returned a token."""
    answered: bool = False
    """Whether it has returned a token in this round."""

    @property
    def active(self) -> bool:
        """Whether anything is sent to it."""
        if self.endpoint is None or self.silent >= SILENT_ROUNDS:
            return False
        return self.allowance is None or not self.allowance.used_up

    def may_get(self, size: int) -> bool:
        """Whether `size` bytes may be sent to it. They count as sent."""
        return self.active and (self.allowance is None or self.allowance.take(size))


@dataclass(kw_only=True)
class Program(Listener):
    """A registered name and its endpoint."""

    name: str
    address: str
    points: int = 0
    played: bool = False
    """Whether it has ever joined a round."""
    since: float = field(default_factory=time.time)
    """Time of its first registration."""
    unanswered: int = 0
    """Invitations in a row without an answer."""
    tokens: deque[str] = field(default_factory=lambda: deque(maxlen=TOKENS))
    """The last tokens sent to its endpoint."""

    @property
    def invited(self) -> bool:
        """Whether rounds invite it and wait for it."""
        return self.active and self.unanswered < UNANSWERED_ROUNDS

    @property
    def gives_way(self) -> bool:
        """Whether another name may replace it: unproved for SETTLED seconds, and never played."""
        proved = self.endpoint is not None and self.allowance is None
        return not (proved or self.played) and time.time() - self.since >= SETTLED
