"""The level `hard` of Iron Throne: plays as `normal` unless playouts clearly favour another move.

Flat Monte Carlo with two players left: every move is tried in the same worlds with the same draws.
With more players, playouts cost too much for their benefit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from games.contract.choices import every_move
from games.contract.core import ClaimMade, Decision, Event, Move, Offer, ReasoningBot
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.coup.bots.belief import Belief, Opponent, Record, records, unseen
from games.coup.bots.playouts import won_by
from games.coup.bots.reasons import reason_of
from games.coup.bots.shrewd import play
from games.coup.bots.worlds import sample_world
from games.coup.rules.state import CoupView, ExchangeKeep, LoseInfluence, Moves

WORLDS = 24
"""Number of worlds in which each move is tried."""
FINE = 1 << 20
"""Resolution of random draws."""


@dataclass(frozen=True)
class Weighed:
    """A move and its result in each sampled world."""

    move: Move
    won: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.won) / len(self.won)

    def clearly_beats(self, other: Weighed) -> bool:
        """Return whether the mean lead over `other` per world exceeds its standard error."""
        pairs = [a - b for a, b in zip(self.won, other.won, strict=True)]
        mean, n = sum(pairs) / len(pairs), len(pairs)
        spread = sum((one - mean) ** 2 for one in pairs) / (n - 1)
        return mean > math.sqrt(spread / n)


def decide(
    seat: Seat,
    view: CoupView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Decision:
    """Choose the move that wins most playouts if it clearly beats the move of `normal`."""
    record = records.of(len(view.players), heard)
    plain = play(seat, view, offers, record, luck)
    weighed = weigh(seat, view, offers, record, plain, luck)
    if not weighed:
        return Decision(plain)
    first, best = weighed[0], max(weighed, key=lambda one: one.mean)
    made = best if best.clearly_beats(first) else first
    rest = max(one.mean for one in weighed if one is not made)
    belief = Belief(record, unseen(view))
    return Decision(made.move, reason_of(view, belief, made.move, made.mean, rest, WORLDS))


hard = ReasoningBot(decide)


def weigh(
    seat: Seat,
    view: CoupView,
    offers: Sequence[Offer],
    record: Record,
    plain: Move,
    luck: BotLuck,
) -> list[Weighed]:
    """Return each distinct move with its results, starting with the move of `normal`.

    The result is empty if there is no choice or if more than two players are left.
    """
    moves = [plain, *_others(view, offers, plain)] if searches(view) else [plain]
    if len(moves) == 1:
        return []
    rival = next(at for at in _alive(view) if at != seat)
    belief = Belief(record, unseen(view))
    wild = _plays_at_random(record.opponents[rival])
    won: list[list[float]] = [[] for _ in moves]
    for _world in range(WORLDS):
        world = sample_world(seat, rival, view, belief, luck)
        dice = luck.draw("world", FINE).to_bytes(4, "big")
        at_random = luck.draw("wild", FINE) < wild * FINE
        random = frozenset((rival,) if at_random else ())
        for move, results in zip(moves, won, strict=True):
            results.append(won_by(seat, world, move, record, dice, random))
    return [Weighed(move, tuple(results)) for move, results in zip(moves, won, strict=True)]


def searches(view: CoupView) -> bool:
    """Return whether exactly two players are left. With more, playouts cost too much."""
    return len(_alive(view)) == 2


def _alive(view: CoupView) -> list[Seat]:
    return [Seat(at) for at, player in enumerate(view.players) if player.influence]


def _others(view: CoupView, offers: Sequence[Offer], plain: Move) -> list[Move]:
    """Return the other moves on offer. Of moves with the same effect, return only one."""
    found = {_comes_to(view, plain): plain}
    for offer in offers:
        for move in every_move(Moves, offer):
            found.setdefault(_comes_to(view, move), move)
    return [move for move in found.values() if move != plain]


def _comes_to(view: CoupView, move: Move) -> object:
    """Return a key for the effect of a move: the roles given up or kept, without positions."""
    match move:
        case LoseInfluence(card):
            assert view.hand is not None
            return view.hand[card].role
        case ExchangeKeep(keep):
            assert view.pool is not None
            return tuple(sorted(view.pool[at] for at in keep))
    return move


def _plays_at_random(opponent: Opponent) -> float:
    """Estimate the probability that the opponent plays randomly, from how often it challenges."""
    doubting = (opponent.doubts + 0.4) / (opponent.chances + 4)
    return min(1.0, max(0.0, (doubting - 0.12) / 0.3))
