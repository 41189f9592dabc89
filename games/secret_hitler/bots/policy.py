"""How bots play Secret Hitler, as numbers: one column for each level and size, and how each class
treats its tiles. Beliefs take everybody for a player of these numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from games.contract.luck import Temper

LIBERAL, FASCIST, HITLER = 0, 1, 2
Position = Literal["president", "chancellor"]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The numbers of a level at a size (rules/opponents 1)."""

    leak: float
    """How far it is believed that fascists vote for their own."""
    slip: float
    """How often somebody is believed to do what no plan explains."""
    demand: float
    """How clean a government has to be for a ja, compared to one drawn at random."""
    zone: float
    """How suspect of being Hitler a chancellor may be where that would end the match, compared to
    one drawn at random."""
    frame: float
    """How often a lying president blames a chancellor who had no choice."""
    cover: float
    """How often one protects a chancellor who had one."""
    bonus: float
    """How much rather a fascist nominates one of the team."""
    by_liberal: tuple[float, float, float, float, float]
    """How often fascists vote openly for their own, by the liberal policies that stand."""
    by_fascist: tuple[float, float] = (0.0, 1.0)
    """The same with four and with five fascist ones."""
    looks_ahead: bool = False
    """Whether a government is weighed by what it would enact, against the one after it."""

    def openly(self, liberal: int, fascist: int) -> float:
        """How often a fascist votes for the team, whatever that gives away."""
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
    """The numbers of a level: five and six play otherwise than more. Fascists play at all levels
    like `normal`: whatever is safer before those who read votes was measured to be weaker."""
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
"""A fifth liberal policy ends the match: fascists rarely let it pass."""


def spoils(
    of: int, position: Position, liberal: int, fascist: int, temper: Temper = "plain"
) -> float:
    """How often this class throws the last liberal policy it holds away, with so many standing."""
    if of == LIBERAL:
        return 0.0
    if liberal == 4:
        return _LAST_CHANCE
    if of == HITLER:
        return _HITLERS[position][min(fascist, 5)]
    rates = _PRESIDENT if position == "president" else _CHANCELLOR
    return rates[temper][min(fascist, 5)]
