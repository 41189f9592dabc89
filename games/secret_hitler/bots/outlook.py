"""The value of a government to the liberals, looking one government ahead.

The value is an average over all role assignments and tile draws that fit. It depends on what the
government would enact, and on how matches end from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.contract.data import Seat
from games.secret_hitler.bots.likelihood import GovernmentFacts, of_government
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.policy import HITLER
from games.secret_hitler.rules.board import (
    CHAOS,
    FASCIST_GOAL,
    HITLER_ZONE,
    LIBERAL_GOAL,
    LIBERAL_TILES,
)
from games.secret_hitler.rules.state import View

_LIBERAL = 0.47
"""Probability that a government of unknown players enacts a liberal policy."""
_ELECTED = 0.08
"""Probability that an election makes Hitler chancellor at a time when that ends the match."""
_EXECUTED = 0.12
"""Probability that an execution hits Hitler."""
_EXECUTES = (4, 5)
"""Numbers of fascist policies that trigger an execution."""


@lru_cache
def won(liberal: int, fascist: int) -> float:
    """Return the probability that liberals win with these policies enacted, before an election."""
    if liberal >= LIBERAL_GOAL:
        return 1.0
    if fascist >= FASCIST_GOAL:
        return 0.0
    lost = _ELECTED if fascist >= HITLER_ZONE else 0.0
    return (1 - lost) * _either(liberal, fascist, _LIBERAL)


def _either(liberal: int, fascist: int, share: float) -> float:
    """Return the probability that liberals win if `share` is the chance of a liberal policy now."""
    worse = won(liberal, fascist + 1)
    if fascist + 1 in _EXECUTES:
        worse = _EXECUTED + (1 - _EXECUTED) * worse
    return share * won(liberal + 1, fascist) + (1 - share) * worse


def of_next(mind: Mind, president: Seat, chancellor: Seat) -> float:
    """Return the probability, in this seat's belief, that liberals win if these two govern."""
    view = mind.view
    facts = GovernmentFacts(_pool(view), view.liberal, view.fascist, enacted=True)
    enacts = of_government(facts, mind.policy)[0]
    return sum(
        weight * _either(view.liberal, view.fascist, enacts[one][other])
        for (one, other), weight in mind.belief.classes(president, chancellor).items()
        if not (mind.hitler_zone and other == HITLER)
    )


def of_waiting(mind: Mind, danger: Mapping[Seat, float]) -> float:
    """Return the probability that liberals win if this election fails.

    The next policy then comes from chaos, or from a government of the next candidate and the least
    dangerous eligible seat.
    """
    view = mind.view
    if view.tracker == CHAOS - 1:
        liberal, fascist = _pool(view)
        return _either(view.liberal, view.fascist, liberal / (liberal + fascist))
    president = _next(view)
    ineligible = {president, *_ineligible(view)}
    others = [seat for seat in danger if seat not in ineligible] or [
        seat for seat in danger if seat != president
    ]
    return of_next(mind, president, min(others, key=lambda seat: danger[seat]))


def _pool(view: View) -> tuple[int, int]:
    """Return the numbers of liberal and fascist tiles in the deck and the discard pile together."""
    liberal = LIBERAL_TILES - view.liberal
    return liberal, view.deck_size + view.discard_size - liberal


def _next(view: View) -> Seat:
    """Return the next candidate in rotation."""
    n = len(view.players)
    around = (Seat((view.candidate + step) % n) for step in range(1, n + 1))
    return next(seat for seat in around if view.players[seat].alive)


def _ineligible(view: View) -> frozenset[Seat]:
    """Return the seats that are term-limited as chancellor."""
    if view.last_elected is None:
        return frozenset()
    few = sum(player.alive for player in view.players) <= 5
    last = view.last_elected
    return frozenset({last.chancellor} if few else {last.chancellor, last.president})
