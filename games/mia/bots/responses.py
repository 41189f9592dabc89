"""The best response to a strategy in Mia: exact, over a whole round, in plain Python.

All players but one use the same strategy. The remaining player knows it and minimizes its own
losses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.mia.bots.odds import TOP, chances
from games.mia.bots.rounds import START, Place, after, places, sayable
from games.mia.bots.strategies import Announcing, Answering

Losses = tuple[float, ...]
"""Probability of losing the round, by the number of seats behind the player who rolls."""


@dataclass(frozen=True)
class Strategy:
    """A strategy: the probabilities of each announcement, and of calling one."""

    says: Announcing
    sees: Answering


@dataclass(frozen=True)
class Rules:
    """The rules that affect a round."""

    n: int
    little: bool = False
    must_raise: bool = True
    mia_costs: int = 1


def exploitability(strategy: Strategy, rules: Rules) -> float:
    """Return the loss rate of `strategy` against itself minus that of a best response to it.

    Both are averaged over all seats.
    """
    return (sum(losses(strategy, strategy, rules)) - sum(losses(None, strategy, rules))) / rules.n


def losses(me: Strategy | None, others: Strategy, rules: Rules) -> Losses:
    """Return the loss rates of a player who plays `me` while everybody else plays `others`.

    If `me` is None, the player plays optimally.
    """
    return losses_by_place(me, others, rules)[START]


def losses_by_place(me: Strategy | None, others: Strategy, rules: Rules) -> Mapping[Place, Losses]:
    """Return the result of `losses` for each place at which a player may roll."""
    found: dict[Place, Losses] = {}
    for place in reversed(places(rules.must_raise)):
        behind = {said: found[after(place, said)] for said in sayable(place, rules.must_raise)}
        found[place] = _Rolling(place, me, others, rules, behind).losses()
    return found


@dataclass(frozen=True)
class _Rolling:
    """Computes the losses of a roll at one place of the game tree.

    `behind` are the losses after each announcement if it is not called.
    """

    place: Place
    me: Strategy | None
    others: Strategy
    rules: Rules
    behind: Mapping[int, Losses]

    def losses(self) -> Losses:
        chance = chances(self.rules.little)
        mine = sum(chance[dice] * self._saying(dice) for dice in range(TOP + 1))
        told = self._told()
        mia = sum(
            chance[dice] * self.others.says(self.place, dice).get(TOP, 0.0)
            for dice in range(TOP + 1)
        )
        mia = self.rules.mia_costs * (mia if self.behind else chance[TOP])
        next_one = mia + sum(self._answering(said, *told[said]) for said in self.behind)
        return (mine, next_one, *(mia + self._looking_on(told, k) for k in range(2, self.rules.n)))

    def _saying(self, dice: int) -> float:
        """Return the player's loss rate with these dice. A player who rolls Mia loses nothing."""
        if not self.behind:
            return float(dice < TOP)
        by_word = {said: self._after_saying(dice, said) for said in self.behind}
        if self.me is None:
            return 0.0 if dice == TOP else min(by_word.values())
        spread = self.me.says(self.place, dice)
        return sum(part * by_word.get(said, 0.0) for said, part in spread.items())

    def _after_saying(self, dice: int, said: int) -> float:
        seen = self.others.sees(self.place, said)
        return seen * (dice < said) + (1 - seen) * self.behind[said][-1]

    def _told(self) -> dict[int, tuple[float, float]]:
        """Return, per value, the probabilities of announcing it and of announcing it truthfully."""
        found = dict.fromkeys(self.behind, (0.0, 0.0))
        for dice, chance in enumerate(chances(self.rules.little)):
            for said, part in self.others.says(self.place, dice).items():
                if said in found:
                    told, true = found[said]
                    found[said] = told + chance * part, true + chance * part * (dice >= said)
        return found

    def _answering(self, said: int, told: float, true: float) -> float:
        rolling = told * self.behind[said][0]
        if self.me is None:
            return min(true, rolling)
        seen = self.me.sees(self.place, said)
        return seen * true + (1 - seen) * rolling

    def _looking_on(self, told: Mapping[int, tuple[float, float]], k: int) -> float:
        return sum(
            part * (1 - self.others.sees(self.place, said)) * self.behind[said][k - 1]
            for said, (part, _) in told.items()
        )
