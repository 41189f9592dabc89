"""How a fascist decides, and Hitler once being elected wins: help the team, and keep a good face."""

from games.rules.data import Seat
from games.rules.secret_hitler.mind import Mind
from games.rules.secret_hitler.state import Party

import os
_HABIT = int(os.environ.get("HAB","30"))
EARLY=int(os.environ.get("EARLY","50"))
NOM=float(os.environ.get("NOM","0"))
PV=int(os.environ.get("PV","0"))
from games.rules.data import BySeat
import msgspec
from games.rules.secret_hitler import loyal
from games.rules.secret_hitler.belief import believe
"""Percent of ja for governments without a friend, so that the votes give less away."""


def _friend(mind: Mind, seat: Seat) -> float:
    """How likely a seat is of one's own team: a fascist knows, Hitler may have to guess."""
    return mind.belief.fascist[seat]


def chancellor(mind: Mind) -> Seat:
    """Hitler, once that wins; before, a fascist rather than Hitler, who has to look clean."""
    hitler = mind.belief.hitler
    worth = 2.0 if mind.hitler_zone else -0.5
    pub = public(mind).belief.fascist if NOM else [0]*10
    return mind.least(
        mind.view.eligible, lambda seat: -_friend(mind, seat) - worth * hitler[seat] + NOM * pub[seat]
    )

def public(mind):
    return Mind(mind.seat, msgspec.structs.replace(mind.view, role="liberal", knows=BySeat()), mind.luck)


def ja(mind: Mind) -> bool:
    government = mind.government
    if mind.seat in government or any(_friend(mind, seat) > 0.5 for seat in government):
        return True
    if PV: return loyal.ja(public(mind))
    return mind.chance(_HABIT)


def unwanted(mind: Mind) -> Party:
    """Early on half of the liberal policies are let through; never the last one."""
    view = mind.view
    early = view.fascist < 2 and view.liberal < 4
    return "fascist" if early and mind.chance(EARLY) else "liberal"


def suspect(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: _friend(mind, seat))


def ally(mind: Mind) -> Seat:
    return mind.least(
        mind.view.targets,
        lambda seat: -_friend(mind, seat) + 0.5 * mind.belief.hitler[seat],
    )


def victim(mind: Mind) -> Seat:
    return mind.least(
        mind.view.targets, lambda seat: _friend(mind, seat) + 2 * mind.belief.hitler[seat]
    )
