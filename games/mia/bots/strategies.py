"""Strategies that a `hard` bot of Mia distinguishes: five for announcing and five for answering.

An opponent is assumed to use one of each. `solved` is the equilibrium. The other strategies are
typical of human players and weaker programs. `tables.bin` holds the reply to each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from games.mia.bots.odds import (
    CHARACTERS,
    TOP,
    loss_by_rolling,
    loss_by_saying,
    saying,
    sees,
    truth,
)
from games.mia.bots.rounds import Place, sayable

Spread = Mapping[int, float]
"""The probability of announcing each rank. Empty if every announcement loses."""
Announcing = Callable[[Place, int], Spread]
"""Function that takes (place to beat, own dice) and returns a distribution of announcements."""
Answering = Callable[[Place, int], float]
"""Function that takes (place that had to be beaten, announcement) and returns the probability of
calling.
"""

HIGHEST = 3
"""A boaster announces one of this many highest ranks below Mia."""
NEARLY = 0.02


def _careful(place: Place, dice: int) -> Spread:
    return saying("careful", place.last, dice)


def _random(place: Place, dice: int) -> Spread:
    return saying("reckless", place.last, dice)


@cache
def _normal(place: Place, dice: int) -> Spread:
    """Return the announcements of `normal` in a match of two, before it has observed anything."""
    if dice == TOP:
        return {TOP: 1.0}
    losses = {
        said: sum(loss_by_saying(c, 2, said, dice < said, False) for c in CHARACTERS) / 2
        for said in sayable(place, True)
    }
    good = [said for said in losses if losses[said] <= min(losses.values()) + NEARLY]
    return dict.fromkeys(good, 1 / len(good)) if good else {}


@cache
def _boasts(place: Place, dice: int) -> Spread:
    if dice == TOP:
        return {TOP: 1.0}
    high = sayable(place, True)[-HIGHEST:]
    return dict.fromkeys(high, 1 / len(high)) if high else {}


@cache
def _normally_sees(place: Place, said: int) -> float:
    seeing = sum(truth(c, place.last, said, False) for c in CHARACTERS)
    rolling = sum(loss_by_rolling(c, 2, said, False) for c in CHARACTERS)
    return float(seeing < rolling)


ANNOUNCING: Mapping[str, Announcing] = {
    "careful": _careful,
    "random": _random,
    "normal": _normal,
    "boasts": _boasts,
}
ANSWERING: Mapping[str, Answering] = {
    "careful": lambda place, said: sees("careful", said, False),
    "random": lambda place, said: sees("reckless", said, False),
    "normal": _normally_sees,
    "never": lambda place, said: 0.0,
}
SOLVED = "solved"
