"""Beliefs about opponents in Iron Throne: their likely cards, bluffs and challenges.

Beliefs are based only on what the seat was told. Each opponent has a likelihood per hand, derived
from its claims and their results. The likelihood is weighted by the number of ways to deal that
hand from the unseen cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from threading import Lock

from games.contract.core import Event, all_seats
from games.contract.data import Seat
from games.coup.rules.state import (
    COPIES,
    ROLES,
    ActionDeclared,
    Blocked,
    BluffCaught,
    Challenged,
    CostPaid,
    CoupView,
    Exchanged,
    InfluenceLost,
    Passed,
    Role,
    RoleShown,
)

Hand = tuple[Role, ...]
"""Roles held face down, in the order of ROLES."""

PAIRS: tuple[Hand, ...] = tuple(combinations_with_replacement(ROLES, 2))
HANDS = (*((role,) for role in ROLES), *PAIRS)
BLUFFS = 0.25
"""Prior rate of claiming a role without holding it."""
FIRM = 4.0
"""Weight of that prior, in shown claims."""
FORGOTTEN = 0.5
"""Share of our knowledge about an opponent that an exchange erases."""
MOST_RECORDS = 64
"""Maximum number of kept records. Each takes about 10 KB and keeps the events of its match."""


@dataclass
class Opponent:
    """An opponent from another seat's point of view: a likelihood per hand, and observed habits."""

    likely: dict[Hand, float] = field(default_factory=lambda: dict.fromkeys(PAIRS, 1.0))
    shown: int = 0
    caught: set[Role] = field(default_factory=set)
    doubts: int = 0
    chances: int = 0

    def copy(self) -> Opponent:
        """Return an independent copy. Its likelihoods are replaced, never changed."""
        return Opponent(self.likely, self.shown, set(self.caught), self.doubts, self.chances)

    @property
    def bluffs(self) -> float:
        """Estimated rate of untrue claims, from the results of challenges."""
        return (BLUFFS * FIRM + len(self.caught)) / (FIRM + self.shown + len(self.caught))

    @property
    def doubting(self) -> float:
        """Estimated probability of challenging a claim when a challenge is possible."""
        return (self.doubts + 0.5) / (self.chances + 4)

    def claims(self, role: Role) -> None:
        untrue = self.bluffs
        self._weigh(lambda hand: 1.0 if role in hand else untrue)

    def is_caught(self, role: Role) -> None:
        self.caught.add(role)
        self._weigh(lambda hand: 0.0 if role in hand else 1.0)

    def swaps(self, role: Role) -> None:
        """Replace a shown role in the belief with an unknown card."""
        self.shown += 1
        if len(next(iter(self.likely))) == 1:
            self.likely = {(other,): 1.0 for other in ROLES}
            return
        rest = {other: self.likely[_pair(role, other)] for other in ROLES}
        self.likely = {(a, b): (rest[a] + rest[b]) / 2 for a, b in PAIRS}
        self._keep_sane()

    def exchanges(self) -> None:
        mean = sum(self.likely.values()) / len(self.likely)
        self.likely = {
            hand: (1 - FORGOTTEN) * weight + FORGOTTEN * mean
            for hand, weight in self.likely.items()
        }

    def loses(self, role: Role) -> None:
        if len(next(iter(self.likely))) == 2:
            self.likely = {(other,): self.likely[_pair(role, other)] for other in ROLES}
            self._keep_sane()

    def _weigh(self, factor: Callable[[Hand], float]) -> None:
        self.likely = {hand: weight * factor(hand) for hand, weight in self.likely.items()}
        self._keep_sane()

    def _keep_sane(self) -> None:
        """Scale the likelihoods so that the greatest is 1.

        If every hand seems impossible, some evidence was overrated, so make all hands equally
        likely.
        """
        most = max(self.likely.values())
        self.likely = {h: w / most if most > 1e-9 else 1.0 for h, w in self.likely.items()}


RECORDED = frozenset(
    {
        ActionDeclared,
        Blocked,
        Passed,
        Challenged,
        CostPaid,
        RoleShown,
        BluffCaught,
        InfluenceLost,
        Exchanged,
    }
)
"""Types of the events that change a record. Everybody is told them."""


@dataclass
class Record:
    """The public history, built event by event. It is the same for every seat."""

    opponents: Mapping[Seat, Opponent]
    passed: set[Seat] = field(default_factory=set)
    doubtable: bool = False
    blocks: tuple[Blocked | None, Blocked | None] = (None, None)
    """The last two blocks."""

    @classmethod
    def of(cls, seats: int, heard: Sequence[Event]) -> Record:
        """Build the record from these events."""
        record = cls({seat: Opponent() for seat in all_seats(seats)})
        for event in heard:
            record.hear(event)
        return record

    def copy(self) -> Record:
        """Return an independent copy."""
        opponents = {seat: one.copy() for seat, one in self.opponents.items()}
        return Record(opponents, set(self.passed), self.doubtable, self.blocks)

    def hear(self, event: Event) -> None:
        match event:
            case ActionDeclared(who, _, _, claim):
                self.passed, self.doubtable = set(), claim is not None
                if claim is not None:
                    self.opponents[who].claims(claim)
            case Blocked(who, claim):
                self.passed, self.doubtable = set(), True
                self.blocks = (self.blocks[1], event)
                self.opponents[who].claims(claim)
            case Passed(who) if self.doubtable and who not in self.passed:
                self.passed.add(who)
                self.opponents[who].chances += 1
            case Challenged(who):
                self.doubtable = False
                self.opponents[who].chances += 1
                self.opponents[who].doubts += 1
            case CostPaid():
                self.doubtable = False
            case RoleShown(who, role):
                self.opponents[who].swaps(role)
            case BluffCaught(who, claim):
                self.opponents[who].is_caught(claim)
            case InfluenceLost(who, role):
                self.opponents[who].loses(role)
            case Exchanged(who):
                self.opponents[who].exchanges()


class Records:
    """The records of the latest decisions, so that the next one only adds the new events.

    All bots of a match share its record. It is safe to use in several threads, because a record is
    copied before it is continued.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[list[Event], Record]] = {}
        self._lock = Lock()

    def of(self, seats: int, heard: Sequence[Event]) -> Record:
        """Return the record of all these events."""
        public = [event for event in heard if type(event) in RECORDED]
        if not public:
            return Record.of(seats, ())
        key = id(public[0])  # kept with the event, so no other event can have it
        with self._lock:
            known, record = self._kept.pop(key, ([], None))
        if record is None or public[: len(known)] != known:
            record = Record.of(seats, public)
        elif len(public) > len(known):
            record = record.copy()
            for event in public[len(known) :]:
                record.hear(event)
        with self._lock:
            self._kept[key] = (public, record)
            if len(self._kept) > MOST_RECORDS:
                del self._kept[next(iter(self._kept))]
        return record


records = Records()


@dataclass
class Belief:
    """The belief of one seat about all others."""

    record: Record
    unseen: Mapping[Role, int]

    @property
    def opponents(self) -> Mapping[Seat, Opponent]:
        return self.record.opponents

    def hands(self, seat: Seat) -> Mapping[Hand, float]:
        """Return the unnormalized likelihood of each hand of this seat."""
        ways = self._ways
        likely = self.opponents[seat].likely.items()
        return {hand: weight * ways[hand] for hand, weight in likely}

    @cached_property
    def _ways(self) -> Mapping[Hand, int]:
        """The number of ways to deal each hand from the unseen cards."""
        return {hand: _odds(hand, self.unseen) for hand in HANDS}

    def has(self, seat: Seat, *roles: Role) -> float:
        """Return the probability that this seat holds one of these roles."""
        weights = self.hands(seat)
        total = sum(weights.values())
        held = sum(weight for hand, weight in weights.items() if not set(roles).isdisjoint(hand))
        return held / total if total else 0.0

    def doubted(self, by: Sequence[Seat]) -> float:
        """Return the probability that one of these seats challenges a claim."""
        trusted = 1.0
        for seat in by:
            trusted *= 1 - self.opponents[seat].doubting
        return 1 - trusted


def unseen(view: CoupView) -> Mapping[Role, int]:
    """Return the number of copies of each role that are neither in this seat's hand nor face up."""
    left = dict.fromkeys(ROLES, COPIES)
    for card in view.hand or ():
        if not card.face_up:
            left[card.role] -= 1
    for player in view.players:
        for seen in player.cards:
            if seen.face_up and seen.role:
                left[seen.role] -= 1
    return left


def _odds(hand: Hand, among: Mapping[Role, int]) -> int:
    """Return the number of ways to deal this hand from the unseen cards."""
    if len(hand) == 1:
        return among[hand[0]]
    first, second = hand
    if first == second:
        return among[first] * (among[first] - 1)
    return 2 * among[first] * among[second]


def _pair(one: Role, other: Role) -> Hand:
    return (one, other) if ROLES.index(one) <= ROLES.index(other) else (other, one)
