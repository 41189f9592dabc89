"""What the lesson of Secret Hitler looks at: who sits where, and how it has gone so far."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import LEARNER, Moment
from games.secret_hitler.rules.state import Session, View

ADA, BELA, CATO, DORA = Seat(1), Seat(2), Seat(3), Seat(4)
"""Ada and Dora are liberals, Bela is the fascist, Cato is Hitler."""
BOTS = (ADA, BELA, CATO, DORA)
LIBERAL, FASCIST = 0, 1
"""The places of the tiles a chancellor is handed here."""


def held(moment: Moment) -> int:
    """So many elections have been counted."""
    return len(moment.view.history)


def newest(moment: Moment) -> Session | None:
    history: tuple[Session, ...] = moment.view.history
    return history[-1] if history else None


def asks_for(moment: Moment, *seats: Seat) -> bool:
    """Whether one of these would be in the government that is voted on."""
    view: View = moment.view
    return view.candidate in seats or view.chancellor in seats


def outvoted(moment: Moment) -> bool:
    """Whether the learner alone did not want the first government."""
    last = newest(moment)
    return held(moment) == 1 and bool(last and last.votes and not last.votes.get(LEARNER, True))


def had_choice(moment: Moment) -> bool:
    """Whether the learner has just enacted a fascist policy, holding a liberal one."""
    last = newest(moment)
    if last is None or last.chancellor != LEARNER or last.passed_on is None:
        return False
    return last.enacted == "fascist" and "liberal" in last.passed_on


def threw_liberal(moment: Moment) -> bool:
    """Whether the learner, as president, has just kept every liberal policy from the chancellor."""
    last = newest(moment)
    if last is None or last.president != LEARNER or last.drawn is None or last.enacted is None:
        return False
    return "liberal" in last.drawn and "liberal" not in (last.passed_on or ())


def presided(moment: Moment) -> bool:
    return any(one.president == LEARNER for one in moment.view.history)


def done(moment: Moment) -> bool:
    """Whether the learner has been president, and what came of it is known."""
    mine = [one for one in moment.view.history if one.president == LEARNER]
    return bool(mine) and (mine[-1].enacted is not None or not mine[-1].passed)


def betrayed(moment: Moment) -> bool:
    """Whether the learner's chancellor has just preferred a fascist policy."""
    last = newest(moment)
    if last is None or last.president != LEARNER or last.enacted != "fascist":
        return False
    return "liberal" in (last.passed_on or ())


def others_govern(moment: Moment) -> bool:
    return moment.view.phase in ("president_discard", "chancellor_enact") and not moment.offers
