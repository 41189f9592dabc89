"""Regret matching+ with linear averaging, for many small games at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.mia.bots.odds import TOP
from games.mia.bots.rounds import Place
from games.mia.bots.strategies import Spread
from games.mia.bots.tables import Table

Array = NDArray[np.float64]
ITERATIONS = 1000


def matched(regrets: Array) -> Array:
    """Return the strategy proportional to the positive regrets on the last axis.

    If there are none, return the uniform strategy.
    """
    total = regrets.sum(-1, keepdims=True)
    return np.where(total > 0, regrets / np.where(total > 0, total, 1), 1 / regrets.shape[-1])


class Learner:
    """Learner of one player's strategy in many small games at once. It minimizes losses.

    The last axis holds the choices.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.regrets, self.sum = np.zeros(shape), np.zeros(shape)
        self.now = matched(self.regrets)

    def learn(self, losses: Array, step: int) -> None:
        mean = (self.now * losses).sum(-1, keepdims=True)
        self.regrets = np.maximum(self.regrets + mean - losses, 0)
        self.now = matched(self.regrets)
        self.sum += step * self.now

    @property
    def average(self) -> Array:
        found: Array = self.sum / self.sum.sum(-1, keepdims=True)
        return found


class Growing:
    """A strategy table under construction, built backwards from the end of a round."""

    def __init__(self) -> None:
        self.announce: dict[Place, tuple[Spread, ...]] = {}
        self.answer: dict[Place, Spread] = {}

    def add(self, place: Place, said: tuple[int, ...], spread: Array, seen: Array) -> None:
        rows = (dict(zip(said, row.tolist(), strict=True)) for row in spread[:TOP])
        self.announce[place] = tuple(rows)
        self.answer[place] = dict(zip(said, seen.tolist(), strict=True))

    @property
    def table(self) -> Table:
        return Table(self.announce, self.answer)
