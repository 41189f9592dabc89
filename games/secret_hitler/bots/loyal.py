"""Decisions of liberals, and of fascists and Hitler while they pose as liberals.

They trust the players whom the belief clears.
"""

from games.contract.data import Seat
from games.secret_hitler.bots import outlook
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.rules.board import CHAOS
from games.secret_hitler.rules.state import Party

_CHAOS_ODDS = 0.35
"""Above this probability of being clean, a government is better than chaos (measured)."""
_EVEN = 1e-9
"""Tolerance for rounding errors in comparisons."""


def danger(mind: Mind, seat: Seat) -> float:
    """Score how dangerous it would be to make this seat chancellor."""
    belief = mind.belief
    return belief.fascist[seat] + (4 * belief.hitler[seat] if mind.hitler_zone else 0)


def chancellor(mind: Mind) -> Seat:
    if looks_ahead(mind):
        return mind.least(mind.view.eligible, lambda seat: -outlook.of_next(mind, mind.seat, seat))
    return mind.least(mind.view.eligible, lambda seat: danger(mind, seat))


def looks_ahead(mind: Mind) -> bool:
    """Return whether to weigh governments by what they would enact.

    This needs evidence from a government, and does not apply to the cover story of a fascist.
    """
    return mind.policy.looks_ahead and mind.informed and mind.view.role == "liberal"


def with_the_next(mind: Mind) -> float:
    """Return the probability that liberals win if this government is voted down."""
    return outlook.of_waiting(mind, {seat: danger(mind, seat) for seat in mind.alive})


def ja(mind: Mind) -> bool:
    """Return whether to vote for the government.

    A bot that looks ahead compares it with the next government. Otherwise, the government must be
    about as likely as a random one to be liberal, and the chancellor must not be a likely Hitler.

    Until a government has enacted a policy, a government need not be cleaner than average.
    """
    if looks_ahead(mind):
        return outlook.of_next(mind, *mind.government) >= with_the_next(mind) - _EVEN
    if fears_hitler(mind):
        return False
    return mind.belief.clean(*mind.government) >= demand(mind) - _EVEN


def fears_hitler(mind: Mind) -> bool:
    """Return whether electing Hitler would lose and the chancellor is too likely to be Hitler."""
    suspicion = mind.belief.hitler[mind.government[1]] * len(mind.others)
    return mind.hitler_zone and suspicion > mind.policy.zone + _EVEN


def demand(mind: Mind) -> float:
    """Return the minimum probability for a ja vote that both members are liberals."""
    average = mind.belief.clean_on_average(mind.others)
    asked = (mind.policy.demand if mind.informed else min(mind.policy.demand, 1)) * average
    return min(_CHAOS_ODDS, asked) if mind.view.tracker == CHAOS - 1 else asked


def unwanted(mind: Mind) -> Party:
    return "fascist"


def suspect(mind: Mind) -> Seat:
    """Choose whom to investigate: the target whose party is least certain."""
    return mind.least(mind.view.targets, lambda seat: abs(mind.belief.fascist[seat] - 0.5))


def ally(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: mind.belief.fascist[seat])


def victim(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: -guilt(mind, seat))


def guilt(mind: Mind, seat: Seat) -> float:
    """Score how likely this seat is to be Hitler.

    Ties are broken by the probability of being a fascist.
    """
    return mind.belief.hitler[seat] + 0.01 * mind.belief.fascist[seat]
