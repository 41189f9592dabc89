"""How a liberal decides, and everybody who wants to look like one: trust whom the belief clears."""

from games.rules.data import Seat
from games.rules.secret_hitler.board import CHAOS
from games.rules.secret_hitler.mind import Mind
from games.rules.secret_hitler.state import Party

_CHAOS_ODDS = 0.35
"""From so clean on a government enacts fascist policies less often than chaos does (measured)."""
_EVEN = 1e-9
"""Equal is equal, whatever the order of summing."""


def danger(mind: Mind, seat: Seat) -> float:
    """How bad this seat would be as a chancellor."""
    belief = mind.belief
    return belief.fascist[seat] + (4 * belief.hitler[seat] if mind.hitler_zone else 0)


def chancellor(mind: Mind) -> Seat:
    return mind.least(mind.view.eligible, lambda seat: danger(mind, seat))


def ja(mind: Mind) -> bool:
    """For a government about as clean as a random one, and no likely Hitler where that loses.

    Before anything is known every government is as good as another, and gets its chance.
    """
    belief, others = mind.belief, mind.others
    president, chancellor = mind.government
    if mind.hitler_zone and belief.hitler[chancellor] * len(others) > mind.policy.zone + _EVEN:
        return False
    average = belief.clean_on_average(others)
    demand = (mind.policy.demand if mind.informed else min(mind.policy.demand, 1)) * average
    if mind.view.tracker == CHAOS - 1:
        demand = min(_CHAOS_ODDS, demand)
    return belief.clean(president, chancellor) >= demand - _EVEN


def unwanted(mind: Mind) -> Party:
    return "fascist"


def suspect(mind: Mind) -> Seat:
    """The one of whom least is known."""
    return mind.least(mind.view.targets, lambda seat: abs(mind.belief.fascist[seat] - 0.5))


def ally(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: mind.belief.fascist[seat])


def victim(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: -guilt(mind, seat))


def guilt(mind: Mind, seat: Seat) -> float:
    """How much speaks for this seat being Hitler, then for being a fascist."""
    return mind.belief.hitler[seat] + 0.01 * mind.belief.fascist[seat]
