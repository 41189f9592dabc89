"""What the bots of Mia reckon with: the chances of the dice, two characters, and a round's loss.

An opponent is taken for a mixture of two characters. The reckless one says anything that is high
enough and sees every other time; the careful one tells the truth where it can, else the smallest
lie, and sees what is hard to reach. Values are their ranks, 0 to 20; -1 is "nothing said yet".
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
"""How often anybody does what is not like them."""


@lru_cache
def chances(little: bool) -> tuple[float, ...]:
    """The probability of each rank: doubles 1 in 36, all others 2."""
    return tuple((1 if a == b else 2) / 36 for a, b in (v.split(",") for v in ranking(little)))


@lru_cache
def at_least(rank: int, little: bool) -> float:
    """The probability to roll this rank or more."""
    return sum(chances(little)[max(rank, 0) :])


@lru_cache
def saying(character: Character, last: int, dice: int) -> Mapping[int, float]:
    """What this character announces with these dice, and how often; nothing where all lose."""
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
    """The probability of this announcement after that one, and the part of it that is true."""
    told = true = 0.0
    for dice, chance in enumerate(chances(little)):
        here = chance * saying(character, last, dice).get(said, 0.0)
        told += here
        true += here * (dice >= said)
    return told, true


@lru_cache
def truth(character: Character, last: int, said: int, little: bool) -> float:
    """How probably this announcement after that one is true."""
    told, true = heard(character, last, said, little)
    return true / told if told else at_least(said, little)


@lru_cache
def sees(character: Character, said: int, little: bool) -> float:
    """How often this character wants to see such an announcement."""
    if character == "reckless":
        return 0.5
    return 1 - SLIP if at_least(said, little) < 0.25 else SLIP


@lru_cache
def loss_by_seeing(character: Character, said: int, little: bool) -> float:
    """The chance to lose the round by seeing, where it is not known what was said before."""
    both = [heard(character, last, said, little) for last in range(NOTHING, said)]
    told = sum(told for told, _ in both)
    return sum(true for _, true in both) / told if told else at_least(said, little)


@lru_cache(maxsize=4096)
def loss_on_turn(character: Character, n: int, said: int, little: bool) -> float:
    """The chance that I lose the round, asked after this announcement and playing my best."""
    rolling = loss_by_rolling(character, n, said, little)
    return min(rolling, loss_by_seeing(character, said, little))


@lru_cache(maxsize=4096)
def loss_by_rolling(character: Character, n: int, said: int, little: bool) -> float:
    """The same when I roll and then announce what is best for me."""
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
    """The chance that I lose the round after I have announced this."""
    seen = sees(character, value, little)
    return seen * lie + (1 - seen) * loss_while_others_roll(character, n, value, n - 1, little)


@lru_cache(maxsize=16384)
def loss_while_others_roll(
    character: Character, n: int, said: int, until: int, little: bool
) -> float:
    """The same while the one who is `until` seats before me rolls: a Mia costs me as well."""
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
