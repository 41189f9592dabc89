"""Whether something drawn is as even as it should be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

FALSE_ALARM = 1e-8
"""The chance to accuse a fair server, in each of the tests; there are four, and the tail of the
chi-square distribution is a little light for counts this small: together below one in a million."""


def tail(statistic: float, freedom: int) -> float:
    """The chance that chi-square with so many degrees of freedom is at least this."""
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
    """The chance that a fair source gives counts at least as uneven as these."""
    total = sum(counts.values())
    statistic = sum(
        (counts.get(one, 0) - total * share) ** 2 / (total * share) for one, share in shares.items()
    )
    return tail(statistic, len(shares) - 1)


def even(values: Iterable[K]) -> dict[K, float]:
    """Equal shares."""
    found = list(values)
    return {one: 1 / len(found) for one in found}


def of_orders(
    orders: Sequence[tuple[str, ...]], possible: Sequence[tuple[str, ...]]
) -> tuple[float, float]:
    """For orders drawn one after the other: the chance of their counts, and of their sequence."""
    following = Counter(pairwise(orders))
    pairs = [(one, other) for one in possible for other in possible]
    return unevenness(Counter(orders), even(possible)), unevenness(following, even(pairs))


def bits(tokens: Sequence[str]) -> float:
    """How much varies in the first characters of tokens, position by position, in bits."""
    shortest = min(map(len, tokens))
    return sum(math.log2(len({token[at] for token in tokens})) for at in range(shortest))
