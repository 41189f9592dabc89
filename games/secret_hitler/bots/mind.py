"""A seat of a bot that has to decide: what it sees, what it tells of itself, and its own luck."""

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
        """What a liberal would believe who sits here and has held what this seat has claimed.

        That is what a liberal believes; everybody else lives in their story.
        """
        view, spoken = self.view, spoken_of(self.said)
        if view.role != "liberal":
            view = innocent(self.seat, view, spoken)
        return believe(self.seat, view, spoken, self.policy)

    @cached_property
    def team(self) -> frozenset[Seat]:
        """The fascists this seat knows, itself among them; nobody where it knows of none."""
        known = {at for at, of in self.view.knows.items() if of.role is not None}
        return frozenset({*known, self.seat} if known else ())

    @property
    def hitler(self) -> Seat | None:
        """Hitler, where this seat knows who that is."""
        known = self.view.knows.items()
        return next((at for at, of in known if of.role == "hitler"), None)

    @property
    def hitler_zone(self) -> bool:
        return self.view.fascist >= HITLER_ZONE

    @property
    def others(self) -> tuple[Seat, ...]:
        """The living but this seat."""
        return tuple(seat for seat in self.alive if seat != self.seat)

    @property
    def alive(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at, facts in enumerate(self.view.players) if facts.alive)

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

    def chance(self, share: float) -> bool:
        """Whether what happens so often happens now."""
        return self.luck.draw("chance", 1000) < share * 1000

    def without(self, party: str) -> tuple[int, ...]:
        """The places of two of the three tiles in hand, a tile of this party left out if any."""
        hand = self.view.hand
        thrown = hand.index(party) if party in hand else 0
        return tuple(at for at in range(len(hand)) if at != thrown)
