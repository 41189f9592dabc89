"""The level `normal` of Chamber: shoots by the odds of the next shell, and uses helpful items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.chamber.rules.state import (
    Item,
    PassRebalance,
    ShootPlayer,
    UseAddLifeItem,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    UseQuickshotItem,
    UseRebalancerItem,
    UseSkipItem,
    UseStealItem,
    View,
    next_up,
)
from games.contract.choices import is_offered
from games.contract.core import ClaimMade, Event, Move, Offer
from games.contract.data import Seat
from games.contract.luck import BotLuck, Temper

OWN: Mapping[Item, type[Move]] = {
    "add_life": UseAddLifeItem,
    "chamber_check": UseChamberCheckItem,
    "double_damage": UseDoubleDamageItem,
    "quickshot": UseQuickshotItem,
}
AN_ITEM = 0.3
"""Value of an item for ranking the leader, measured in lives."""
WORTH_A_LOOK = 0.2
"""Do not spend a Chamber Check if a live round is less likely than this."""
RISK: Mapping[Temper, float] = {"careful": 0.1, "plain": 0.2, "bold": 0.3}
"""Shoot oneself to keep the turn if the danger is below this and it would not be fatal."""

EVEN: Mapping[Temper, float] = {"careful": 0.5, "plain": 0.55, "bold": 0.6}
"""Preferred share of live shells before adjustments."""
WEAPONS: frozenset[Item] = frozenset({"chamber_check", "double_damage", "quickshot"})
A_WEAPON = 0.08
EXPOSED = 0.2
NEAR_ENOUGH = 0.1
"""Add nothing if the share is this close to the preferred one."""


@dataclass(frozen=True)
class Sight:
    """Inputs of a bot's decision on its turn."""

    seat: Seat
    view: View
    offers: Sequence[Offer]
    temper: Temper

    @property
    def left(self) -> int:
        return self.view.live + self.view.blank

    @property
    def danger(self) -> float:
        """Return the probability that the next shell is live."""
        if self.view.known_next is not None:
            return float(self.view.known_next == "live")
        return self.view.live / self.left

    @property
    def lives(self) -> int:
        return self.view.players[self.seat].lives

    @property
    def others(self) -> tuple[Seat, ...]:
        players = enumerate(self.view.players)
        return tuple(Seat(at) for at, player in players if player.lives and at != self.seat)


Habit = Callable[[Sight], Move | None]
"""Returns the move it suggests, or None."""


def normal(
    seat: Seat,
    view: View,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Move:
    """Return the first move that one of HABITS suggests.

    If no habit applies, shoot. In the Rebalancer window, add rounds or pass.
    """
    if view.phase == "rebalance":
        return _rebalance(seat, view, offers, luck.manner.temper)
    sight = Sight(seat, view, offers, luck.manner.temper)
    moves = (habit(sight) for habit in HABITS)
    return next((move for move in moves if move is not None), _best_target(sight))


def _live_longer(sight: Sight) -> Move | None:
    return _own_or_stolen(sight, "add_life")


def _look_first(sight: Sight) -> Move | None:
    return _own_or_stolen(sight, "chamber_check") if WORTH_A_LOOK <= sight.danger < 1 else None


def _hold_up_the_next(sight: Sight) -> Move | None:
    target = next_up(sight.view.players, sight.seat)
    if sight.left < 2 or target is None or target == sight.seat:
        return None
    return _if_offered(sight, UseSkipItem(target)) or _stolen(sight, "skip", target)


def _double_what_is_likely(sight: Sight) -> Move | None:
    return _own_or_stolen(sight, "double_damage") if sight.danger >= 0.5 else None


def _shoot_twice(sight: Sight) -> Move | None:
    likely = sight.danger >= 0.4 and sight.left >= 2
    return _own_or_stolen(sight, "quickshot") if likely else None


def _take_a_blank(sight: Sight) -> Move | None:
    """Shoot oneself to keep the turn, if a blank is certain or the risk is small.

    Return None if the risk is too high.
    """
    hurt = 2 if sight.view.double_damage else 1
    if sight.danger == 0 or (sight.danger < RISK[sight.temper] and sight.lives > hurt):
        return ShootPlayer(sight.seat)
    return None


HABITS: tuple[Habit, ...] = (
    _live_longer,
    _look_first,
    _hold_up_the_next,
    _double_what_is_likely,
    _shoot_twice,
    _take_a_blank,
)


def _best_target(sight: Sight) -> Move:
    """Among the players that the shot would kill, shoot the one with the most items.

    Otherwise shoot the leader.
    """
    hurt = 2 if sight.view.double_damage else 1

    def worth(target: Seat) -> tuple[bool, float]:
        player = sight.view.players[target]
        dies = player.lives <= hurt
        return dies, len(player.items) + (0 if dies else player.lives / AN_ITEM)

    return ShootPlayer(max(sight.others, key=worth))


def _own(sight: Sight, item: Item) -> Move | None:
    return _if_offered(sight, OWN[item]())


def _own_or_stolen(sight: Sight, item: Item) -> Move | None:
    return _own(sight, item) or _stolen(sight, item)


def _stolen(sight: Sight, item: Item, skip_target: Seat | None = None) -> Move | None:
    thefts = (_if_offered(sight, UseStealItem(at, item, skip_target)) for at in sight.others)
    return next((theft for theft in thefts if theft is not None), None)


def _if_offered(sight: Sight, move: Move) -> Move | None:
    return move if is_offered(sight.offers, move) else None


def _rebalance(seat: Seat, view: View, offers: Sequence[Offer], temper: Temper) -> Move:
    """Add rounds to bring the share of live shells closer to the one that is best for the seat.

    Pass if the share is close enough, or if such rounds cannot be added.
    """
    missing = _wanted(seat, view, temper) - view.live / (view.live + view.blank)
    if abs(missing) < NEAR_ENOUGH:
        return PassRebalance()
    move = UseRebalancerItem("live" if missing > 0 else "blank")
    return move if is_offered(offers, move) else PassRebalance()


def _wanted(seat: Seat, view: View, temper: Temper) -> float:
    """Return the share of live shells that is best for a seat.

    Weapons raise this share. Having few lives, or being the leader whom the others shoot, lowers
    it.
    """
    player = view.players[seat]
    rivals = [other.lives for at, other in enumerate(view.players) if other.lives and at != seat]
    wanted = EVEN[temper] + A_WEAPON * sum(item in WEAPONS for item in player.items)
    if player.lives <= 2 or player.lives > max(rivals):
        wanted -= EXPOSED
    return wanted
