"""Replies of the bot `hard` of Mia to a known strategy of one opponent: restricted Nash responses.

In six decisions out of ten, the opponent follows its strategy ("way"). Otherwise it plays the worst
case for us. So a reply wins more against that way, and its losses against any other strategy are
limited.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from games.mia.bots.odds import TOP, chances
from games.mia.bots.responses import Rules, Strategy, losses
from games.mia.bots.rounds import Place, after, places, sayable
from games.mia.bots.strategies import ANNOUNCING, ANSWERING, SOLVED
from games.mia.bots.tables import Table, reply_key
from tools.solvers.learning import ITERATIONS, Array, Growing, Learner

RESTRICTED = 0.6
CREDULOUS = 0.55
"""Probability that the opponent follows its strategy, per decision.

It is lower for opponents who never call, because replies to them are the riskiest.
"""
CHANCE = np.array(chances(little=False))
PART = CHANCE[:, None]


@dataclass
class Replies:
    """Solver for all replies at once. The first axis of its arrays is the opponent's strategy."""

    pairs: tuple[tuple[str, str], ...]
    ways: Mapping[tuple[str, str], Strategy]

    @property
    def firmness(self) -> Array:
        """Probability that each opponent follows its strategy."""
        return np.array([CREDULOUS if pair[1] == "never" else RESTRICTED for pair in self.pairs])

    def solve(self) -> dict[str, Table]:
        found = [Growing() for _ in self.pairs]
        edge = CHANCE[TOP]
        mine = {Place(TOP - 1): np.full(len(self.pairs), 1 - edge)}
        theirs = {Place(TOP - 1): np.full(len(self.pairs), edge)}
        for place in reversed(places(must_raise=True)):
            said = sayable(place, True)
            if not said:
                continue
            words = np.array(said)
            i_roll = np.stack([mine[after(place, s)] for s in said], 1)
            they_roll = np.stack([theirs[after(place, s)] for s in said], 1)
            spread, mine[place] = self._announce(place, words, they_roll)
            seen, theirs[place] = self._answer(place, words, i_roll)
            for at, growing in enumerate(found):
                growing.add(place, said, spread[at], seen[at])
        return {
            reply_key(*pair): growing.table for pair, growing in zip(self.pairs, found, strict=True)
        }

    def _announce(self, place: Place, words: Array, they_roll: Array) -> tuple[Array, Array]:
        """Return our strategy for announcing, and its probability of losing.

        The opponent follows its strategy with probability `firmness`. Otherwise it sees or rolls in
        the worst way for us.
        """
        lie, part, firm = np.arange(TOP)[:, None] < words, PART[:TOP], self.firmness[:, None]
        model = np.array([[self.ways[p].sees(place, int(s)) for s in words] for p in self.pairs])
        me = Learner((len(self.pairs), TOP, len(words)))
        free = Learner((len(self.pairs), len(words), 2))

        def lost(seen: Array) -> Array:
            mixed = (firm * model + (1 - firm) * seen)[:, None, :]
            found: Array = part * (mixed * lie + (1 - mixed) * they_roll[:, None, :])
            return found

        for step in range(1, ITERATIONS + 1):
            me.learn(lost(free.now[..., 0]), step)
            weight = part * me.now
            hurts = np.stack([(weight * lie).sum(1), weight.sum(1) * they_roll], -1)
            free.learn(-hurts, step)
        return me.average, (me.average * lost(free.average[..., 0])).sum((1, 2))

    def _answer(self, place: Place, words: Array, i_roll: Array) -> tuple[Array, Array]:
        """Return our strategy for answering, and its probability of losing.

        The opponent follows its strategy with probability `firmness`. Otherwise it announces in the
        worst way for us.
        """
        true, part, firm = (
            np.arange(TOP)[:, None] >= words,
            PART[:TOP],
            self.firmness[:, None, None],
        )
        model, mia = self._announcements(place, words)
        me = Learner((len(self.pairs), len(words), 2))
        free = Learner((len(self.pairs), TOP, len(words)))
        hidden = firm[..., 0] * CHANCE[TOP] * model[:, TOP]  # a Mia announced as something lower

        def lost(says: Array) -> tuple[Array, Array]:
            weight = part * (firm * model[:, :TOP] + (1 - firm) * says)
            return (weight * true).sum(1) + hidden, (weight.sum(1) + hidden) * i_roll

        for step in range(1, ITERATIONS + 1):
            seen = me.now[:, None, :, 0]
            free.learn(-part * (seen * true + (1 - seen) * i_roll[:, None, :]), step)
            me.learn(np.stack(lost(free.now), -1), step)
        seeing, rolling = lost(free.average)
        seen = me.average[..., 0]
        mias = CHANCE[TOP] * (1 - self.firmness * (1 - mia))
        return seen, (seen * seeing + (1 - seen) * rolling).sum(1) + mias

    def _announcements(self, place: Place, words: Array) -> tuple[Array, Array]:
        """Return what each strategy announces after every roll, and its probability of announcing a
        Mia as Mia.
        """
        model = np.zeros((len(self.pairs), TOP + 1, len(words)))
        mia = np.ones(len(self.pairs))
        for at, pair in enumerate(self.pairs):
            for dice in range(TOP + 1):
                spread = self.ways[pair].says(place, dice)
                model[at, dice] = [spread.get(int(s), 0.0) for s in words]
            mia[at] = spread.get(TOP, 0.0)
        return model, mia


def replies(solved: Table) -> dict[str, Table]:
    """Return a reply to each pair of strategies, except the equilibrium pair."""
    ways = {pair: way for pair, way in _ways(solved).items() if pair != (SOLVED, SOLVED)}
    return Replies(tuple(ways), ways).solve()


def worth(tables: Mapping[str, Table], solved: Table) -> dict[str, dict[str, float]]:
    """Return the share of rounds that each table loses against each pair of strategies.

    The share is averaged over both seats.
    """
    rules, opponents = Rules(2), _ways(solved)
    return {
        name: {
            reply_key(*pair): sum(losses(Strategy(table.says, table.sees), opponent, rules)) / 2
            for pair, opponent in opponents.items()
        }
        for name, table in tables.items()
    }


def _ways(solved: Table) -> dict[tuple[str, str], Strategy]:
    announcing = {**ANNOUNCING, SOLVED: solved.says}
    answering = {**ANSWERING, SOLVED: solved.sees}
    return {
        (one, other): Strategy(says, sees)
        for one, says in announcing.items()
        for other, sees in answering.items()
    }
