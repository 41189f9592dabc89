"""How a fascist decides, and Hitler once being elected wins: help the team, and look clean."""

from games.rules.data import Seat
from games.rules.secret_hitler.mind import Mind
from games.rules.secret_hitler.state import Party

_HABIT = 10
"""Percent of ja for governments without a friend, so that the votes give less away."""
_HIDING = 50
"""Percent of the liberal policies let through as long as fascist ones bring suspicion only."""


def _friend(mind: Mind, seat: Seat) -> float:
    """How likely a seat is of one's own team: a fascist knows, Hitler may have to guess."""
    return mind.belief.fascist[seat]


def chancellor(mind: Mind) -> Seat:
    """Hitler, once that wins; before, whom the liberals trust, better a fascist than Hitler."""
    hitler = mind.belief.hitler
    suspicion = mind.reputation.fascist
    worth = 2.0 if mind.hitler_zone else -0.5
    return mind.least(
        mind.view.eligible,
        lambda seat: 2 * suspicion[seat] - _friend(mind, seat) - worth * hitler[seat],
    )


def ja(mind: Mind) -> bool:
    government = mind.government
    if mind.seat in government or any(_friend(mind, seat) > 0.5 for seat in government):
        return True
    return mind.chance(_HABIT)


def unwanted(mind: Mind) -> Party:
    """Early on half of the liberal policies are let through; never the last one."""
    view = mind.view
    early = view.fascist < 2 and view.liberal < 4
    return "fascist" if early and mind.chance(_HIDING) else "liberal"


def suspect(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: _friend(mind, seat))


def ally(mind: Mind) -> Seat:
    """A fascist rather than Hitler, who cannot be chancellor as president."""
    hitler = mind.belief.hitler
    return mind.least(mind.view.targets, lambda seat: 0.5 * hitler[seat] - _friend(mind, seat))


def victim(mind: Mind) -> Seat:
    hitler = mind.belief.hitler
    return mind.least(mind.view.targets, lambda seat: _friend(mind, seat) + 2 * hitler[seat])
