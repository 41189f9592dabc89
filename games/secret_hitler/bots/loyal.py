"""How a liberal decides, and everybody who wants to look like one: trust whom the belief clears."""

from games.contract.data import Seat
from games.secret_hitler.bots import outlook
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.rules.board import CHAOS
from games.secret_hitler.rules.state import Party

_CHAOS_ODDS = 0.35
"""From so clean on a government enacts fascist policies less often than chaos does (measured)."""
_EVEN = 1e-9
"""Equal is equal, whatever the order of summing."""


def danger(mind: Mind, seat: Seat) -> float:
    """How bad this seat would be as a chancellor."""
    belief = mind.belief
    return belief.fascist[seat] + (4 * belief.hitler[seat] if mind.hitler_zone else 0)


def chancellor(mind: Mind) -> Seat:
    if looks_ahead(mind):
        return mind.least(mind.view.eligible, lambda seat: -outlook.of_next(mind, mind.seat, seat))
    return mind.least(mind.view.eligible, lambda seat: danger(mind, seat))


def looks_ahead(mind: Mind) -> bool:
    """Whether governments are weighed by what they would enact: not before anything is known, nor
    in the story of somebody who hides."""
    return mind.policy.looks_ahead and mind.informed and mind.view.role == "liberal"


def with_the_next(mind: Mind) -> float:
    """How often liberals win if this government is voted down."""
    return outlook.of_waiting(mind, {seat: danger(mind, seat) for seat in mind.alive})


def ja(mind: Mind) -> bool:
    """For a government about as clean as a random one, and no likely Hitler where that loses.

    Before anything is known every government is as good as another, and gets its chance.
    """
    if looks_ahead(mind):
        return outlook.of_next(mind, *mind.government) >= with_the_next(mind) - _EVEN
    if fears_hitler(mind):
        return False
    return mind.belief.clean(*mind.government) >= demand(mind) - _EVEN


def fears_hitler(mind: Mind) -> bool:
    """Whether the chancellor may too well be Hitler, where that would lose the match."""
    suspicion = mind.belief.hitler[mind.government[1]] * len(mind.others)
    return mind.hitler_zone and suspicion > mind.policy.zone + _EVEN


def demand(mind: Mind) -> float:
    """How likely both in a government have to be liberals for a ja."""
    average = mind.belief.clean_on_average(mind.others)
    asked = (mind.policy.demand if mind.informed else min(mind.policy.demand, 1)) * average
    return min(_CHAOS_ODDS, asked) if mind.view.tracker == CHAOS - 1 else asked


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
