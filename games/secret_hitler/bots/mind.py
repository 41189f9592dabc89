"""A decision of a bot: what its seat sees, the claims so far, and its random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.contract.core import ClaimMade
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.secret_hitler.bots.belief import Belief, believe
from games.secret_hitler.bots.policy import Policy
from games.secret_hitler.bots.story import innocent
from games.secret_hitler.rules.board import HITLER_ZONE
from games.secret_hitler.rules.spoken import spoken_of
from games.secret_hitler.rules.state import View


@dataclass(frozen=True)
class Mind:
    seat: Seat
    view: View
    said: Sequence[ClaimMade]
    luck: BotLuck
    policy: Policy

    @cached_property
    def belief(self) -> Belief:
        """The belief that a liberal in this seat would have if this seat's claims were true.

        Liberals hold this belief themselves. The others act on their cover story.
        """
        view, spoken = self.view, spoken_of(self.said)
        if view.role != "liberal":
            view = innocent(self.seat, view, spoken)
        return believe(self.seat, view, spoken, self.policy)

    @cached_property
    def team(self) -> frozenset[Seat]:
        """The fascists that this seat knows, including itself.

        The set is empty if it knows none.

        If it knows none, return an empty set.
        """
        known = {at for at, of in self.view.knows.items() if of.role is not None}
        return frozenset({*known, self.seat} if known else ())

    @property
    def hitler(self) -> Seat | None:
        """Return Hitler's seat if it is known."""
        known = self.view.knows.items()
        return next((at for at, of in known if of.role == "hitler"), None)

    @property
    def hitler_zone(self) -> bool:
        return self.view.fascist >= HITLER_ZONE

    @property
    def others(self) -> tuple[Seat, ...]:
        """Return the other living seats."""
        return tuple(seat for seat in self.alive if seat != self.seat)

    @property
    def alive(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at, facts in enumerate(self.view.players) if facts.alive)

    @property
    def informed(self) -> bool:
        """Return whether any government has enacted a policy yet."""
        return any(session.by == "government" for session in self.view.history)

    @property
    def government(self) -> tuple[Seat, Seat]:
        """Return the two seats that are being voted on or are in office."""
        view = self.view
        return view.candidate, view.candidate if view.chancellor is None else view.chancellor

    def least(self, among: Sequence[Seat], cost: Callable[[Seat], float]) -> Seat:
        """Return the seat with the lowest cost. Ties are broken at random."""
        order = self.luck.shuffled("order", among)
        return min(order, key=lambda seat: round(cost(seat), 9))

    def chance(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.luck.draw("chance", 1000) < share * 1000

    def without(self, party: str) -> tuple[int, ...]:
        """Return the indexes of the tiles to keep so that a tile of this party is discarded.

        If there is no such tile, discard the first one.
        """
        hand = self.view.hand
        thrown = hand.index(party) if party in hand else 0
        return tuple(at for at in range(len(hand)) if at != thrown)
