"""Conditions for the lesson of Secret Hitler: roles of the seats, and what has happened so far."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import LEARNER, Moment
from games.secret_hitler.rules.state import Session, View

ADA, BELA, CATO, DORA = Seat(1), Seat(2), Seat(3), Seat(4)
"""Ada and Dora are liberals, Bela is the fascist, and Cato is Hitler."""
BOTS = (ADA, BELA, CATO, DORA)
LIBERAL, FASCIST = 0, 1
"""Positions of the tiles that are handed to a chancellor in the lesson."""


def held(moment: Moment) -> int:
    """Return the number of elections that have been counted."""
    return len(moment.view.history)


def newest(moment: Moment) -> Session | None:
    history: tuple[Session, ...] = moment.view.history
    return history[-1] if history else None


def asks_for(moment: Moment, *seats: Seat) -> bool:
    """Return whether one of these seats belongs to the government that is being voted on."""
    view: View = moment.view
    return view.candidate in seats or view.chancellor in seats


def outvoted(moment: Moment) -> bool:
    """Return whether the learner alone voted against the first government."""
    last = newest(moment)
    return held(moment) == 1 and bool(last and last.votes and not last.votes.get(LEARNER, True))


def had_choice(moment: Moment) -> bool:
    """Return whether the learner has just enacted a fascist policy while holding a liberal one."""
    last = newest(moment)
    if last is None or last.chancellor != LEARNER or last.passed_on is None:
        return False
    return last.enacted == "fascist" and "liberal" in last.passed_on


def threw_liberal(moment: Moment) -> bool:
    """Return whether the learner, as president, has just withheld every liberal policy."""
    last = newest(moment)
    if last is None or last.president != LEARNER or last.drawn is None or last.enacted is None:
        return False
    return "liberal" in last.drawn and "liberal" not in (last.passed_on or ())


def presided(moment: Moment) -> bool:
    return any(one.president == LEARNER for one in moment.view.history)


def done(moment: Moment) -> bool:
    """Return whether the learner has been president and the result is known."""
    mine = [one for one in moment.view.history if one.president == LEARNER]
    return bool(mine) and (mine[-1].enacted is not None or not mine[-1].passed)


def betrayed(moment: Moment) -> bool:
    """Return whether the learner's chancellor has just discarded a liberal policy."""
    last = newest(moment)
    if last is None or last.president != LEARNER or last.enacted != "fascist":
        return False
    return "liberal" in (last.passed_on or ())


def others_govern(moment: Moment) -> bool:
    return moment.view.phase in ("president_discard", "chancellor_enact") and not moment.offers
