"""Statistical tests of random draws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

FALSE_ALARM = 1e-8
"""Probability of a false alarm in each of the four tests.

Together the tests stay below one in a million, although chi-square underestimates the tail for such
small counts.
"""


def tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square value is at least `statistic`."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    if freedom % 2:
        total, term, at = math.erfc(math.sqrt(half)), math.sqrt(half / math.pi) * 2, 1.5
    else:
        total, term, at = math.exp(-half), half, 2.0
    weight = math.exp(-half)
    for _ in range((freedom - 1) // 2):
        total += term * weight
        term *= half / at
        at += 1
    return min(total, 1.0)


def unevenness(counts: Mapping[K, int], shares: Mapping[K, float]) -> float:
    """Return the probability that a fair source gives counts that are at least as uneven."""
    total = sum(counts.values())
    statistic = sum(
        (counts.get(one, 0) - total * share) ** 2 / (total * share) for one, share in shares.items()
    )
    return tail(statistic, len(shares) - 1)


def even(values: Iterable[K]) -> dict[K, float]:
    """Return equal shares for these values."""
    found = list(values)
    return {one: 1 / len(found) for one in found}


def of_orders(
    orders: Sequence[tuple[str, ...]], possible: Sequence[tuple[str, ...]]
) -> tuple[float, float]:
    """Return the probabilities of two statistics of successive orders: of their counts, and of
    their sequence.
    """
    following = Counter(pairwise(orders))
    pairs = [(one, other) for one in possible for other in possible]
    return unevenness(Counter(orders), even(possible)), unevenness(following, even(pairs))


def bits(tokens: Sequence[str]) -> float:
    """Return the entropy of the common leading characters of tokens, by position, in bits."""
    shortest = min(map(len, tokens))
    return sum(math.log2(len({token[at] for token in tokens})) for at in range(shortest))
