"""Endpoints that receive lines, with their activity and their allowance."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from games.udp.allowance import Allowance, Endpoint

SILENT_ROUNDS = 40
"""Number of rounds without a datagram after which an endpoint gets nothing until it sends one."""
UNANSWERED_ROUNDS = 3
"""Number of unanswered invitations after which a name is not invited until it sends a datagram."""
SPEAKS = -1
SETTLED = 60.0
"""Seconds for which a name cannot be replaced although its endpoint is not proved."""
TOKENS = 32
"""Number of recent tokens with which a late answer can prove its endpoint."""


@dataclass(kw_only=True)
class Listener:
    """An endpoint that receives the lines sent to everybody."""

    endpoint: Endpoint | None = None
    silent: int = 0
    """Whole rounds since the endpoint's last datagram, or SPEAKS if it has sent one in this
    round.
    """
    allowance: Allowance | None = None
    """The endpoint's byte limit, or None after the endpoint has returned a token."""
    answered: bool = False
    """Whether the endpoint has returned a token in this round."""

    @property
    def active(self) -> bool:
        """Whether anything is sent to the endpoint."""
        if self.endpoint is None or self.silent >= SILENT_ROUNDS:
            return False
        return self.allowance is None or not self.allowance.used_up

    def may_get(self, size: int) -> bool:
        """Whether `size` bytes may be sent to the endpoint. If so, count them as sent."""
        return self.active and (self.allowance is None or self.allowance.take(size))


@dataclass(kw_only=True)
class Program(Listener):
    """A registered name, and its endpoint."""

    name: str
    address: str
    points: int = 0
    played: bool = False
    """Whether the program has ever joined a round."""
    since: float = field(default_factory=time.time)
    """Time when the name was first registered."""
    unanswered: int = 0
    """Number of invitations in a row that were not answered."""
    tokens: deque[str] = field(default_factory=lambda: deque(maxlen=TOKENS))
    """The last tokens sent to the program's endpoint."""

    @property
    def invited(self) -> bool:
        """Whether the program is invited to rounds, which then wait for its answer."""
        return self.active and self.unanswered < UNANSWERED_ROUNDS

    @property
    def gives_way(self) -> bool:
        """Whether another name may replace this one.

        Its endpoint must have been unproved for SETTLED seconds, and it must never have played.
        """
        proved = self.endpoint is not None and self.allowance is None
        return not (proved or self.played) and time.time() - self.since >= SETTLED
