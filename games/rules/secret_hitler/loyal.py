"""How a liberal decides, and Hitler in hiding: trust whom the belief clears."""

from games.rules.data import Seat
from games.rules.secret_hitler.mind import Mind
from games.rules.secret_hitler.state import Party

_HITLER_RISK = 0.15
"""Rather chaos than a chancellor who is Hitler with more than this."""


def _danger(mind: Mind, seat: Seat) -> float:
    belief = mind.belief
    return belief.fascist[seat] + (4 * belief.hitler[seat] if mind.hitler_zone else 0)


def chancellor(mind: Mind) -> Seat:
    return mind.least(mind.view.eligible, lambda seat: _danger(mind, seat))


def ja(mind: Mind) -> bool:
    """For a government that is cleaner than one drawn at random, or against a chaos that is worse."""
    president, chancellor = mind.government
    hitler = mind.belief.hitler[chancellor] if mind.hitler_zone else 0.0
    m = sum(f.alive for f in mind.view.players)
    c = mind.belief.clean(president, chancellor)
    if hitler*(m-1) > HR: return False
    if mind.view.tracker == 2:
        return c >= min(T2,average(mind)*T2R)
    informed = sum(1 for x in mind.view.history if x.by == 'government')
    return c >= (MARGIN if informed>=INF else 1)*average(mind)

import os
MARGIN=float(os.environ.get('MARGIN','1'))
HR=float(os.environ.get("HR","0.3"))
T2=float(os.environ.get("T2","0"))
T2R=float(os.environ.get("T2R","9"))
INF=int(os.environ.get("INF","1"))
SELF=int(os.environ.get('SELF','0'))
def average(mind):
    alive=sum(1<<at for at,f in enumerate(mind.view.players) if f.alive and (SELF or at!=mind.seat))
    m=alive.bit_count(); t=0
    for w,p in mind.belief._worlds:
        g=m-(w.party&alive).bit_count(); t+=p*g*(g-1)
    return t/(m*(m-1))-1e-9


def unwanted(mind: Mind) -> Party:
    return "fascist"


def suspect(mind: Mind) -> Seat:
    """The one of whom least is known."""
    return mind.least(mind.view.targets, lambda seat: abs(mind.belief.fascist[seat] - 0.5))


def ally(mind: Mind) -> Seat:
    return mind.least(mind.view.targets, lambda seat: mind.belief.fascist[seat])


def victim(mind: Mind) -> Seat:
    belief = mind.belief
    if mind.view.role == "hitler":
        return mind.least(mind.view.targets, lambda seat: belief.fascist[seat])
    return mind.least(
        mind.view.targets, lambda seat: -belief.hitler[seat] - 0.01 * belief.fascist[seat]
    )
