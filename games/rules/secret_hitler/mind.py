"""A seat of a bot that has to decide: what it sees, what it believes, and its own luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from games.rules.data import BySeat, Seat
from games.rules.luck import Luck
from games.rules.secret_hitler.belief import Belief, believe
from games.rules.secret_hitler.board import HITLER_ZONE
from games.rules.secret_hitler.state import Party, View


@dataclass(frozen=True)
class Mind:
    seat: Seat
    view: View
    luck: Luck

    @cached_property
    def belief(self) -> Belief:
        return believe(self.seat, self.view)

    @cached_property
    def reputation(self) -> Belief:
        """What this seat would believe as a liberal who knows nothing of a team."""
        if self.view.role == "liberal":
            return self.belief
        seen = BySeat({at: of for at, of in self.view.knows.items() if of.role is None})
        innocent = msgspec.structs.replace(self.view, role="liberal", knows=seen)
        return believe(self.seat, innocent)

    @property
    def hitler_zone(self) -> bool:
        return self.view.fascist >= HITLER_ZONE

    @property
    def plays_liberal(self) -> bool:
        """Hitler hides among the liberals until being elected wins."""
        return self.view.role == "liberal" or (self.view.role == "hitler" and not self.hitler_zone)

    @property
    def others(self) -> tuple[Seat, ...]:
        """The living but this seat."""
        alive = (Seat(at) for at, facts in enumerate(self.view.players) if facts.alive)
        return tuple(seat for seat in alive if seat != self.seat)

    @property
    def informed(self) -> bool:
        """Whether a government has shown its colours yet."""
        return any(session.by == "government" for session in self.view.history)

    @property
    def government(self) -> tuple[Seat, Seat]:
        """Those who are voted on, or in office."""
        view = self.view
        return view.candidate, view.candidate if view.chancellor is None else view.chancellor

    def least(self, among: Sequence[Seat], cost: Callable[[Seat], float]) -> Seat:
        """The seat of the lowest cost; the bot's luck decides between equals."""
        order = self.luck.shuffled("order", among)
        return min(order, key=lambda seat: round(cost(seat), 9))

    def chance(self, percent: int) -> bool:
        return self.luck.draw("chance", 100) < percent

    def without(self, party: Party) -> tuple[int, ...]:
        """The places of two of the three tiles in hand, a tile of this party left out if any."""
        hand = self.view.hand
        thrown = hand.index(party) if party in hand else 0
        return tuple(at for at in range(len(hand)) if at != thrown)
