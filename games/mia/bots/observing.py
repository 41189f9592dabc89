"""Observations of an opponent in Mia, and the strategies that fit them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from games.contract.core import Event
from games.contract.data import Seat
from games.mia.bots.odds import SLIP, chances
from games.mia.bots.rounds import START, Place, after
from games.mia.bots.strategies import ANNOUNCING, ANSWERING, SOLVED, Announcing, Answering
from games.mia.bots.tables import reply_key, solved
from games.mia.rules.state import (
    ActualDice,
    Announced,
    PlayerRolls,
    PlayerWantsToSee,
    RoundStarted,
    ranking,
)

SOLVED_FIRST = 4.0
"""Prior weight of the equilibrium, relative to each other strategy."""
MEMORY = 600
"""Number of past events a bot remembers."""


@dataclass(frozen=True)
class Word:
    """An announcement, its place in the game tree, and the dice if they were shown."""

    place: Place
    said: int
    dice: int | None = None


@dataclass(frozen=True)
class Answer:
    """A reaction to an announcement, and its place in the game tree.

    `seen` says whether it was called.
    """

    place: Place
    said: int
    seen: bool


def observed(who: Seat, heard: Sequence[Event]) -> list[Word | Answer]:
    """Return this player's announcements and answers in order. Assume the usual ranking."""
    rank = ranking(False).index
    found: list[Word | Answer] = []
    before, here, speaker, said = START, START, who, -1
    for event in heard[-MEMORY:]:
        match event:
            case RoundStarted():
                before, here, said = START, START, -1
            case PlayerRolls(me) if me == who and said >= 0:
                found.append(Answer(before, said, seen=False))
            case PlayerWantsToSee(me) if me == who and said >= 0:
                found.append(Answer(before, said, seen=True))
            case Announced(speaker, dice):
                said = rank(dice)
                before, here = here, after(here, said)
                if speaker == who:
                    found.append(Word(before, said))
            case ActualDice(dice) if speaker == who and found and isinstance(found[-1], Word):
                found[-1] = replace(found[-1], dice=rank(dice))
    return found


def expected(seen: Sequence[Word | Answer], worth: Mapping[str, float]) -> float:
    """Return how many rounds a reply is expected to lose, given what this player has done.

    `worth` has the share of lost rounds for each strategy of the player.
    """
    announcing, answering = _posterior(seen)
    return sum(
        one * other * worth[reply_key(says, sees)]
        for says, one in announcing.items()
        for sees, other in answering.items()
    )


def true_by(seen: Sequence[Word | Answer], place: Place, said: int) -> float:
    """Return the probability that an announcement is true, averaged over likely strategies."""
    announcing = _posterior(seen)[0]
    true = told = 0.0
    for strategy, part in announcing.items():
        one, other = true_and_told(_announcing(strategy), place, said, little=False)
        true, told = true + part * one, told + part * other
    return true / told if told else 0.0


def true_and_told(says: Announcing, place: Place, said: int, little: bool) -> tuple[float, float]:
    """Return the probabilities of announcing this value truthfully, and of announcing it at all."""
    told = [
        chance * says(place, dice).get(said, 0.0) for dice, chance in enumerate(chances(little))
    ]
    return sum(told[said:]), sum(told)


def _posterior(seen: Sequence[Word | Answer]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the probabilities of each announcing and each answering strategy, given these acts."""
    announcing, answering = _prior(ANNOUNCING), _prior(ANSWERING)
    for one in seen:
        if isinstance(one, Word):
            announcing = _weighed(
                announcing, {strategy: _fits(strategy, one) for strategy in announcing}
            )
        else:
            answering = _weighed(
                answering, {strategy: _goes_with(strategy, one) for strategy in answering}
            )
    return announcing, answering


def _prior(strategies: Mapping[str, object]) -> dict[str, float]:
    whole = len(strategies) + SOLVED_FIRST
    return dict.fromkeys(strategies, 1 / whole) | {SOLVED: SOLVED_FIRST / whole}


def _weighed(chances: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    weights = {
        strategy: chance * (factors[strategy] + SLIP) for strategy, chance in chances.items()
    }
    whole = sum(weights.values())
    return {strategy: weight / whole for strategy, weight in weights.items()}


@lru_cache(maxsize=8192)
def _fits(strategy: str, word: Word) -> float:
    says = _announcing(strategy)
    if word.dice is not None:
        return says(word.place, word.dice).get(word.said, 0.0)
    told = enumerate(chances(False))
    return sum(chance * says(word.place, dice).get(word.said, 0.0) for dice, chance in told)


@lru_cache(maxsize=4096)
def _goes_with(strategy: str, answer: Answer) -> float:
    often = _answering(strategy)(answer.place, answer.said)
    return often if answer.seen else 1 - often


@cache
def _announcing(strategy: str) -> Announcing:
    return solved(False, True, 2).says if strategy == SOLVED else ANNOUNCING[strategy]


@cache
def _answering(strategy: str) -> Answering:
    return solved(False, True, 2).sees if strategy == SOLVED else ANSWERING[strategy]
