"""One who is told things: what it has been heard to say, and how much it may be sent."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from games.udp.allowance import Allowance, Endpoint

SILENT_ROUNDS = 40
"""After so many rounds without any datagram an endpoint gets nothing more, until it speaks."""
UNANSWERED_ROUNDS = 3
"""After so many invitations without an answer a name is invited no more, until it answers."""
SPEAKS = -1
SETTLED = 60.0
"""Seconds a name that has proved nothing keeps its place, whoever else wants it."""
TOKENS = 32
"""So many of the tokens given last still show that somebody is there, if late."""


@dataclass(kw_only=True)
class Listener:
    """One who is told what everybody is told."""

    endpoint: Endpoint | None = None
    silent: int = 0
    """Whole rounds since it was heard; SPEAKS in a round in which it was."""
    allowance: Allowance | None = None
    """What it may be sent; None when it has sent back a token it was given."""
    answered: bool = False
    """Whether it has sent back a token in this round."""

    @property
    def active(self) -> bool:
        """Whether it is sent anything."""
        if self.endpoint is None or self.silent >= SILENT_ROUNDS:
            return False
        return self.allowance is None or not self.allowance.used_up

    def may_get(self, size: int) -> bool:
        """Whether so many bytes go there; they count as sent."""
        return self.active and (self.allowance is None or self.allowance.take(size))


@dataclass(kw_only=True)
class Program(Listener):
    """A registered name and where it is reached."""

    name: str
    address: str
    points: int = 0
    played: bool = False
    """Whether it has ever joined a round."""
    since: float = field(default_factory=time.time)
    """When it was registered first."""
    unanswered: int = 0
    """Rounds in a row to which it was invited without an answer."""
    tokens: deque[str] = field(default_factory=lambda: deque(maxlen=TOKENS))
    """Those its endpoint was given last."""

    @property
    def invited(self) -> bool:
        """Whether rounds invite it, and wait for it."""
        return self.active and self.unanswered < UNANSWERED_ROUNDS

    @property
    def gives_way(self) -> bool:
        """Whether it has shown nothing for so long that another name may have its place."""
        proved = self.endpoint is not None and self.allowance is None
        return not (proved or self.played) and time.time() - self.since >= SETTLED
