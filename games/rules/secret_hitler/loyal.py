"""How a liberal decides, and Hitler in hiding: trust whom the belief clears."""

from games.rules.data import Seat
from games.rules.secret_hitler.board import CHAOS
from games.rules.secret_hitler.mind import Mind
from games.rules.secret_hitler.state import Party

_DEMAND = 1.3
"""How much cleaner than a random government one has to be, once something is known."""
_CHAOS_ODDS = 0.35
"""From so clean on a government enacts fascist policies less often than chaos does (measured)."""
_EVEN = 1e-9
"""Equal is equal, whatever the order of summing."""


def _danger(mind: Mind, seat: Seat) -> float:
    belief = mind.reputation
    return belief.fascist[seat] + (4 * belief.hitler[seat] if mind.hitler_zone else 0)


def chancellor(mind: Mind) -> Seat:
    return mind.least(mind.view.eligible, lambda seat: _danger(mind, seat))


def ja(mind: Mind) -> bool:
    """For a government that is cleaner than a random one, and no likely Hitler where that loses.

    Before anything is known every government is as good as another, and gets its chance.
    """
    belief, others = mind.reputation, mind.others
    president, chancellor = mind.government
    if mind.hitler_zone and belief.hitler[chancellor] * len(others) > 1 + _EVEN:
        return False
    average = belief.clean_on_average(others)
    demand = _DEMAND * average if mind.informed else average
    if mind.view.tracker == CHAOS - 1:
        demand = min(_CHAOS_ODDS, average)
    return belief.clean(president, chancellor) >= demand - _EVEN


def unwanted(mind: Mind) -> Party:
    return "fascist"


def suspect(mind: Mind) -> Seat:
    """The one of whom least is known."""
    return mind.least(mind.view.targets, lambda seat: abs(mind.reputation.fascist[seat] - 0.5))


def ally(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: mind.reputation.fascist[seat])


def victim(mind: Mind) -> Seat:
    belief = mind.reputation
    return mind.least(
        mind.view.targets, lambda seat: -belief.hitler[seat] - 0.01 * belief.fascist[seat]
    )
