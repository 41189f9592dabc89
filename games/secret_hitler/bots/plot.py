"""Decisions of fascists and Hitler.

They act like the innocent players they pose as, unless another move wins.
"""

from games.contract.data import Seat
from games.secret_hitler.bots import loyal
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.policy import FASCIST, HITLER, Position, spoils
from games.secret_hitler.rules.spoken import liberals_in
from games.secret_hitler.rules.state import Party

_HITLER_WINS = 3.0
"""Bonus for nominating Hitler if that wins, on the scale of `loyal.danger`."""
_FOR_HITLER = 0.85
"""Probability of voting for Hitler if that wins. Always voting ja would expose the whole team."""


def chancellor(mind: Mind) -> Seat:
    """Nominate like an innocent player, but prefer teammates, or Hitler if electing Hitler wins."""
    return mind.least(mind.view.eligible, lambda seat: loyal.danger(mind, seat) - _gain(mind, seat))


def _gain(mind: Mind, seat: Seat) -> float:
    if seat not in mind.team:
        return 0.0
    if seat == mind.hitler:
        return _HITLER_WINS if mind.hitler_zone else 0.0
    return mind.policy.bonus


def ja(mind: Mind) -> bool:
    """Vote as an innocent player would, but sometimes openly for the team."""
    view, government = mind.view, mind.government
    if mind.hitler_zone and government[1] == mind.hitler:
        return mind.chance(_FOR_HITLER)
    if mind.team and mind.chance(mind.policy.openly(view.liberal, view.fascist)):
        return any(seat in mind.team for seat in government)
    return loyal.ja(mind)


def votes_as_innocent(mind: Mind) -> bool:
    """Return whether this vote depends only on what an innocent player would believe."""
    if mind.hitler_zone and mind.government[1] == mind.hitler:
        return False
    return not mind.team or not mind.policy.openly(mind.view.liberal, mind.view.fascist)


def unwanted(mind: Mind) -> Party:
    """Return the party of the tile to discard, if there is a choice."""
    return "liberal" if mind.chance(malice(mind)) else "fascist"


def malice(mind: Mind) -> float:
    """Return the probability of discarding a liberal tile. It rises during the match."""
    view = mind.view
    position: Position = "president" if mind.seat == view.candidate else "chancellor"
    of = HITLER if view.role == "hitler" else FASCIST
    often = spoils(of, position, view.liberal, view.fascist, mind.luck.manner.temper)
    return often / 2 if len(view.hand) == 3 and liberals_in(view.hand) == 2 else often


def suspect(mind: Mind) -> Seat:
    return loyal.suspect(mind)


def ally(mind: Mind) -> Seat:
    """Choose the next candidate, preferring innocent-looking seats and teammates.

    Hitler is not preferred, because Hitler wins nothing as president.
    """
    bonus = mind.policy.bonus
    return mind.least(
        mind.view.targets,
        lambda seat: (
            mind.belief.fascist[seat] - bonus * (seat in mind.team and seat != mind.hitler)
        ),
    )


def victim(mind: Mind) -> Seat:
    """Choose a target as an innocent player would, but never Hitler, and rarely a teammate."""
    return mind.least(
        mind.view.targets,
        lambda seat: 10 * (seat == mind.hitler) + (seat in mind.team) - loyal.guilt(mind, seat),
    )
