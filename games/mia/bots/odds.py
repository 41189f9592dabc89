"""Odds for the bots of Mia: the dice, two characters, and the probability of losing a round.

An opponent is modelled as a mixture of two characters. The reckless one announces anything high
enough and calls half the time. The careful one is truthful if possible, or else tells the smallest
lie. It calls announcements that are hard to roll. Values are ranks, 0 to 20; -1 means "nothing said
yet".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from games.mia.rules.state import ranking

Character = Literal["reckless", "careful"]
CHARACTERS: tuple[Character, ...] = ("reckless", "careful")
NOTHING, TOP = -1, 20
TRUTHFUL = 0.7
SLIP = 0.02
"""Probability that a player acts out of character."""


@lru_cache
def chances(little: bool) -> tuple[float, ...]:
    """Return the probability of each rank: 1/36 for doubles, 2/36 for the others."""
    return tuple((1 if a == b else 2) / 36 for a, b in (v.split(",") for v in ranking(little)))


@lru_cache
def at_least(rank: int, little: bool) -> float:
    """Return the probability of rolling this rank or more."""
    return sum(chances(little)[max(rank, 0) :])


@lru_cache
def saying(character: Character, last: int, dice: int) -> Mapping[int, float]:
    """Return what this character announces with these dice.

    The result is empty if every announcement loses.
    """
    open_to = [*range(last + 1, TOP), *([TOP] if dice == TOP else [])]
    if not open_to:
        return {}
    if character == "reckless":
        return dict.fromkeys(open_to, 1 / len(open_to))
    if dice > last:
        one_up = dice + 1 if dice + 1 < TOP else dice
        return {dice: 1.0} if one_up == dice else {dice: TRUTHFUL, one_up: 1 - TRUTHFUL}
    small = open_to[:2]
    return dict.fromkeys(small, 1 / len(small))


@lru_cache
def heard(character: Character, last: int, said: int, little: bool) -> tuple[float, float]:
    """Return the probabilities of announcing `said` after `last`, and of doing so truthfully."""
    told = true = 0.0
    for dice, chance in enumerate(chances(little)):
        here = chance * saying(character, last, dice).get(said, 0.0)
        told += here
        true += here * (dice >= said)
    return told, true


@lru_cache
def truth(character: Character, last: int, said: int, little: bool) -> float:
    """Return the probability that an announcement of `said` after `last` is true."""
    told, true = heard(character, last, said, little)
    return true / told if told else at_least(said, little)


@lru_cache
def sees(character: Character, said: int, little: bool) -> float:
    """Return the probability that this character calls this announcement."""
    if character == "reckless":
        return 0.5
    return 1 - SLIP if at_least(said, little) < 0.25 else SLIP


@lru_cache
def loss_by_seeing(character: Character, said: int, little: bool) -> float:
    """Return the mean probability of losing by calling `said`, over all announcements before it."""
    both = [heard(character, last, said, little) for last in range(NOTHING, said)]
    told = sum(told for told, _ in both)
    return sum(true for _, true in both) / told if told else at_least(said, little)


@lru_cache(maxsize=4096)
def loss_on_turn(character: Character, n: int, said: int, little: bool) -> float:
    """Return the probability of losing the round on the turn after this announcement.

    The seat makes the better of its two moves.
    """
    rolling = loss_by_rolling(character, n, said, little)
    return min(rolling, loss_by_seeing(character, said, little))


@lru_cache(maxsize=4096)
def loss_by_rolling(character: Character, n: int, said: int, little: bool) -> float:
    """Return the probability of losing by rolling and then making the best announcement."""
    found = 0.0
    for dice, chance in enumerate(chances(little)):
        if dice == TOP:
            continue  # Mia: the others lose
        can = range(said + 1, TOP)
        found += chance * min(
            (loss_by_saying(character, n, value, dice < value, little) for value in can), default=1
        )
    return found


@lru_cache(maxsize=8192)
def loss_by_saying(character: Character, n: int, value: int, lie: bool, little: bool) -> float:
    """Return the probability of losing the round after announcing this."""
    seen = sees(character, value, little)
    return seen * lie + (1 - seen) * loss_while_others_roll(character, n, value, n - 1, little)


@lru_cache(maxsize=16384)
def loss_while_others_roll(
    character: Character, n: int, said: int, until: int, little: bool
) -> float:
    """Return the probability of losing while the player `until` seats before this one rolls.

    Another player's Mia also costs this player.
    """
    found = 0.0
    for value in range(said + 1, TOP + 1):
        told, _ = heard(character, said, value, little)
        if value == TOP:
            found += told
        elif until == 1:
            found += told * loss_on_turn(character, n, value, little)
        else:
            on = 1 - sees(character, value, little)
            found += told * on * loss_while_others_roll(character, n, value, until - 1, little)
    return found
