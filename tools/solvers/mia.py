"""Strategy tables of the bot `hard` of Mia: equilibria of a round for 2 to 10 players, and replies
for two players.

    python -m tools.solvers.mia            # make mia-tables

Every place of a round (`games/mia/bots/rounds.py`) is a separate small game: one player rolls and
announces, the next one sees or rolls. Each announcement leads to a place that is already solved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from games.mia.bots.odds import TOP, chances
from games.mia.bots.rounds import Place, after, places, sayable
from games.mia.bots.tables import MOST, Kept, Table, read, rules_key, write, written
from tools.solvers.learning import ITERATIONS, Array, Growing, Learner
from tools.solvers.mia_replies import replies, worth

SIZES = range(2, MOST + 1)


def main() -> None:
    """Solve Mia, and write the strategy tables that ship with the game."""
    tables: dict[str, bytes] = {}
    for little in (False, True):
        for must_raise in (True, False):
            for n, table in equilibria(little, must_raise).items():
                tables[rules_key(little, must_raise, n)] = written(table, must_raise)
    solved = read(tables[rules_key(False, True, 2)], True)
    answers = {name: written(table, True) for name, table in replies(solved).items()}
    found = {name: read(data, True) for name, data in answers.items()}
    write(Kept(tables | answers, worth({**found, "solved/solved": solved}, solved)))


def equilibria(little: bool, must_raise: bool) -> dict[int, Table]:
    """Return the equilibrium strategies for each number of players."""
    sizes = np.array(SIZES)
    found = [Growing() for _ in SIZES]
    loss: dict[Place, Array] = {}
    chance = np.array(chances(little))
    for place in reversed(places(must_raise)):
        said = sayable(place, must_raise)
        loss[place] = np.full((len(sizes), max(SIZES)), chance[TOP])
        loss[place][:, 0] = 1 - chance[TOP]
        if not said:
            continue
        behind = np.stack([loss[after(place, s)] for s in said], 1)
        announcing, seeing = _local(chance, said, behind, sizes)
        for at, growing in enumerate(found):
            growing.add(place, said, announcing[at], seeing[at])
        loss[place] = _losses(chance, said, behind, sizes, announcing, seeing)
    return {n: growing.table for n, growing in zip(SIZES, found, strict=True)}


def _local(chance: Array, said: tuple[int, ...], behind: Array, sizes: Any) -> tuple[Array, Array]:
    """Solve one position in a round for each number of players.

    Return two strategies, indexed by (size, dice, said) and by (size, said).
    """
    p, lie = chance[:TOP, None], np.arange(TOP)[:, None] < np.array(said)
    mine = behind[np.arange(len(sizes)), :, sizes - 1][:, None, :]
    next_one = behind[:, :, 0]
    announcer = Learner((len(sizes), TOP, len(said)))
    answerer = Learner((len(sizes), len(said), 2))
    for step in range(1, ITERATIONS + 1):
        see = answerer.now[:, None, :, 0]
        announcer.learn(p * (see * lie + (1 - see) * mine), step)
        weight = p * announcer.now
        true = (weight * ~lie).sum(1)
        answerer.learn(np.stack([true, weight.sum(1) * next_one], -1), step)
    return announcer.average, answerer.average[..., 0]


def _losses(
    chance: Array,
    said: tuple[int, ...],
    behind: Array,
    sizes: Any,
    announcing: Array,
    seeing: Array,
) -> Array:
    """Return the probability of losing for each seat, counted from the seat that rolls."""
    lie = np.arange(TOP)[:, None] < np.array(said)
    weight = chance[:TOP, None] * announcing
    rolled = weight.sum(1) * (1 - seeing)
    found = np.zeros_like(behind[:, 0])
    for at, n in enumerate(sizes):
        # A seat k places behind the roller is k - 1 places behind the next one.
        found[at, :n] = rolled[at] @ np.roll(behind[at, :, :n], 1, axis=1)
        found[at, 1:n] += chance[TOP]
        found[at, 0] += ((weight[at] * lie).sum(0) * seeing[at]).sum()
        found[at, 1] += ((weight[at] * ~lie).sum(0) * seeing[at]).sum()
    return found


if __name__ == "__main__":
    main()
