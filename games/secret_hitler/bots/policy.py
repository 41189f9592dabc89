"""Parameters of the bots, per level and table size, and how each role chooses between tiles.

Beliefs assume that everybody plays by these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from games.contract.luck import Temper

LIBERAL, FASCIST, HITLER = 0, 1, 2
Position = Literal["president", "chancellor"]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The parameters of a level for one table size."""

    leak: float
    """Weight of the assumption that fascists vote for their own team."""
    slip: float
    """Assumed frequency of moves that cannot be explained by any plan."""
    demand: float
    """Minimum cleanness of a government for a ja vote, relative to a random pair."""
    zone: float
    """Maximum suspicion of being Hitler for a chancellor when that would end the match, relative to
    a random player.
    """
    frame: float
    """Probability that a lying president blames a chancellor who had no choice."""
    cover: float
    """Probability that a lying president protects a chancellor who had a choice."""
    bonus: float
    """A fascist's bonus for nominating one of the team."""
    by_liberal: tuple[float, float, float, float, float]
    """Probability that fascists openly vote for their team, by number of enacted liberal policies.
    """
    by_fascist: tuple[float, float] = (0.0, 1.0)
    """Probability that fascists openly vote for their team with four and with five fascist policies
    enacted.
    """
    looks_ahead: bool = False
    """Whether to compare a government's expected policy with the next government's."""

    def openly(self, liberal: int, fascist: int) -> float:
        """Return the probability that a fascist votes for the team even if that exposes it."""
        late = self.by_fascist[fascist - 4] if fascist >= 4 else 0.0
        return max(self.by_liberal[min(liberal, 4)], late)


_NORMAL = (
    Policy(
        leak=0.3,
        slip=0.02,
        demand=0.9,
        zone=0.65,
        frame=0.15,
        cover=0.85,
        bonus=0.5,
        by_liberal=(0, 0, 0, 0.5, 1),
        by_fascist=(1, 1),
    ),
    Policy(
        leak=0,
        slip=0.15,
        demand=0.9,
        zone=0.8,
        frame=0,
        cover=1,
        bonus=0,
        by_liberal=(0, 0, 0, 0.5, 1),
    ),
)
_HARD = (
    replace(_NORMAL[0], zone=1.0, looks_ahead=True),
    replace(_NORMAL[1], leak=0.5, slip=0.02, demand=1.0, zone=1.0, looks_ahead=True),
)
_POLICIES = {"normal": _NORMAL, "hard": _HARD}


def policy_of(level: str, seats: int, liberal: bool = True) -> Policy:
    """Return the parameters of a level for a table of this size.

    Tables of five and six have different parameters from larger ones.

    Fascists use the parameters of `normal` at all levels, because voting more cautiously was
    measured to be weaker.
    """
    return _POLICIES[level if liberal else "normal"][seats > 6]


_Rates = tuple[float, float, float, float, float, float]
_PRESIDENT: dict[Temper, _Rates] = {
    "careful": (0.4, 0.5, 0.7, 0.8, 0.9, 1),
    "plain": (0.7, 0.8, 0.9, 0.9, 1, 1),
    "bold": (1, 1, 1, 1, 1, 1),
}
_CHANCELLOR: dict[Temper, _Rates] = {
    "careful": (0.1, 0.2, 0.4, 0.6, 0.8, 1),
    "plain": (0.25, 0.35, 0.5, 0.6, 0.8, 1),
    "bold": (0.5, 0.7, 0.8, 0.8, 0.9, 1),
}
_HITLERS: dict[Position, _Rates] = {
    "president": (0.15, 0.2, 0.3, 0.7, 0.9, 1),
    "chancellor": (0.03, 0.03, 0.05, 0.1, 0.1, 0.1),
}
_LAST_CHANCE = 0.98
"""Probability that a fascist discards a liberal policy which would be the fifth and end the
match.
"""


def spoils(
    of: int, position: Position, liberal: int, fascist: int, temper: Temper = "plain"
) -> float:
    """Return the probability that a bot with this role discards its last liberal policy."""
    if of == LIBERAL:
        return 0.0
    if liberal == 4:
        return _LAST_CHANCE
    if of == HITLER:
        return _HITLERS[position][min(fascist, 5)]
    rates = _PRESIDENT if position == "president" else _CHANCELLOR
    return rates[temper][min(fascist, 5)]
