"""Likelihood of each pair of roles, given what a government did and claimed.

Everybody is assumed to play by `policy`. Liberals tell the truth. Fascists and Hitler claim what a
liberal with the same public result would claim. Silence is no evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from games.secret_hitler.bots.policy import FASCIST, HITLER, LIBERAL, Policy, spoils
from games.secret_hitler.rules.board import DRAWN

CLASSES = (LIBERAL, FASCIST, HITLER)
Table = tuple[tuple[float, ...], ...]
"""Likelihoods, indexed by the president's role and then the chancellor's."""


@dataclass(frozen=True)
class GovernmentFacts:
    """One government as a seat knows it. Unknown facts are None.

    `drawn` and `passed` are numbers of liberal tiles that are known for certain. `says_drew` and
    `says_got` are claims. `peek` is an earlier claim about the top of the deck.
    """

    pool: tuple[int, int]
    liberal: int
    fascist: int
    enacted: bool
    drawn: int | None = None
    passed: int | None = None
    says_drew: int | None = None
    says_got: int | None = None
    peek: int | None = None


@lru_cache(maxsize=8192)
def of_government(facts: GovernmentFacts, policy: Policy) -> tuple[Table, ...]:
    """Return a table of likelihoods for each role that the player who peeked may have.

    If nobody peeked, all tables are equal.
    """
    if facts.peek is None:
        return (_table(facts, policy, LIBERAL),) * 3
    return tuple(_table(facts, policy, peeker) for peeker in CLASSES)


def _table(facts: GovernmentFacts, policy: Policy, peeker: int) -> Table:
    cells = [[0.0] * 3 for _ in CLASSES]
    for drawn, share in enumerate(_draws(facts.pool)):
        if facts.drawn not in (None, drawn) or not share:
            continue
        if facts.peek is not None:
            share *= _peeks(drawn, facts.peek, peeker, policy)
        for passed in range(max(drawn - 1, 0), min(drawn, 2) + 1):
            if facts.passed in (None, passed):
                _add(cells, facts, policy, share, drawn, passed)
    return tuple(tuple(row) for row in cells)


def _add(
    cells: list[list[float]],
    facts: GovernmentFacts,
    policy: Policy,
    share: float,
    drawn: int,
    passed: int,
) -> None:
    enacts = [
        _enacts(facts, policy, of, passed) * _got(facts, policy, of, passed) for of in CLASSES
    ]
    for president in CLASSES:
        part = share * _passes(facts, policy, president, drawn, passed)
        part *= _drew(facts, policy, president, drawn, passed)
        for chancellor in CLASSES:
            cells[president][chancellor] += part * enacts[chancellor]


def _slipping(chance: float, policy: Policy, moves: int) -> float:
    """Allow for an inexplicable move: mix `chance` with a uniform choice among `moves` moves."""
    return (1 - policy.slip) * chance + policy.slip / moves


def _passes(facts: GovernmentFacts, policy: Policy, of: int, drawn: int, passed: int) -> float:
    """Return the probability that a president passes on `passed` of `drawn` liberal policies."""
    kept, spoilt = min(drawn, 2), max(drawn - 1, 0)
    if kept == spoilt:
        return 1.0
    malice = spoils(of, "president", facts.liberal, facts.fascist) / (1 if drawn == 1 else 2)
    return _slipping(malice if passed == spoilt else 1 - malice, policy, 2)


def _enacts(facts: GovernmentFacts, policy: Policy, of: int, passed: int) -> float:
    """Return the probability of the enacted policy, given the tiles passed on."""
    if passed != 1:
        return float(facts.enacted == (passed == 2))
    malice = spoils(of, "chancellor", facts.liberal, facts.fascist)
    return _slipping(1 - malice if facts.enacted else malice, policy, 2)


def _drew(facts: GovernmentFacts, policy: Policy, of: int, drawn: int, passed: int) -> float:
    """Return the probability of the president's claim, or 1 if there is no claim."""
    if facts.says_drew is None:
        return 1.0
    if of == LIBERAL:
        return _slipping(float(facts.says_drew == drawn), policy, DRAWN + 1)
    return _slipping(lie_of_president(facts, policy, drawn, passed), policy, DRAWN + 1)


def lie_of_president(facts: GovernmentFacts, policy: Policy, drawn: int, passed: int) -> float:
    """Return the probability that a fascist president makes this claim."""
    if facts.enacted:
        return float(facts.says_drew == (drawn if passed == 2 else 1))
    blames = 1 - policy.cover if passed else policy.frame
    return {0: 1 - blames, 1: blames}.get(facts.says_drew or 0, 0.0)


def _got(facts: GovernmentFacts, policy: Policy, of: int, passed: int) -> float:
    """Return the probability of the chancellor's claim, or 1 if there is no claim."""
    if facts.says_got is None:
        return 1.0
    told = 0 if of != LIBERAL and not facts.enacted else passed
    return _slipping(float(facts.says_got == told), policy, 3)


def _peeks(drawn: int, says: int, of: int, policy: Policy) -> float:
    """Return the probability that a player who peeked at `drawn` liberal tiles claims `says`."""
    if of == LIBERAL:
        return _slipping(float(says == drawn), policy, DRAWN + 1)
    chance = 0.5 * (says == drawn) + 0.5 * (says == max(drawn - 1, 0))
    return _slipping(chance, policy, DRAWN + 1)


def of_investigation(fascist: bool, claimed: bool, of: int, policy: Policy) -> float:
    """Return the probability of a claim about a party, given the true party."""
    calls_fascist = float(fascist) if of == LIBERAL else 0.05 if fascist else 0.5
    return _slipping(calls_fascist if claimed else 1 - calls_fascist, policy, 2)


@lru_cache(maxsize=128)
def _draws(pool: tuple[int, int]) -> tuple[float, ...]:
    """Return the probabilities of 0 to 3 liberal policies among three drawn tiles."""
    good, bad = pool
    ways = comb(good + bad, DRAWN)
    return tuple(comb(good, k) * comb(bad, DRAWN - k) / ways for k in range(DRAWN + 1))
