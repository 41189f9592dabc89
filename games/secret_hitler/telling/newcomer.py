"""Hints for players new to Secret Hitler: facts they can check.

Private facts are never repeated, because others may see the same screen.
"""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import Moment
from games.contract.words import Text, _
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ExecutePlayer,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    NextPresident,
    PresidentPolicies,
    Ready,
    Session,
    VetoConfirm,
    View,
    Vote,
)


def explain(now: Moment) -> Text | None:
    """Return facts that help the player to decide, or that can expose the player's lies.

    Return None if there are none.
    """
    view: View = now.view
    if now.may(ChancellorNomination):
        return _nominating(now)
    if now.may(Ready) or now.may(Vote):
        pair = (view.candidate, view.chancellor)
        others = tuple(one for one in pair if one is not None and one != now.seat)
        return _record(view, others[-1]) if others else None
    if now.may(NextPresident) or now.may(ExecutePlayer):
        return _("Go by who voted, enacted and said what.")
    return _in_office(now) if now.offers else _having_governed(now)


def _in_office(now: Moment) -> Text | None:
    """Explain what a player in office sees or decides, and who else knows it.

    Return None at other questions.
    """
    view: View = now.view
    if now.may(PresidentPolicies):
        return _("Only you see these three. Your chancellor will know which two you pass on.")
    if now.may(ChancellorPolicy):
        return _(
            "Only %(who)s knows these two besides you. All see which you enact.", who=view.candidate
        )
    if now.may(VetoConfirm):
        veto = _("Agree: neither is enacted, and the election tracker goes from %(at)s to %(to)s.")
        return veto.of(at=view.tracker, to=view.tracker + 1)
    if now.may(InvestigateAffiliation):
        return _("You see a party, not a role: Hitler's party card is fascist, too.")
    if now.may(ExecutiveConfirmation) and view.power == "peek":
        return _("The next government draws these three: you'll know whether it tells the truth.")
    if now.may(ExecutiveConfirmation):
        return _("You may tell what you saw, or lie: nobody else sees the card.")
    return None


def _nominating(now: Moment) -> Text | None:
    view: View = now.view
    recent = tuple(
        Seat(at)
        for at, facts in enumerate(view.players)
        if facts.alive and at not in view.eligible and at != now.seat
    )
    return _("Too soon to choose again: %(who)s.", who=recent) if recent else None


def _record(view: View, who: Seat) -> Text:
    """Say how many policies of each party were enacted with this player in government."""
    made = [one.enacted for one in view.history if one.by == "government" and _governed(one, who)]
    if not made:
        return _("%(who)s hasn't governed yet.", who=who)
    return _(
        "Enacted with %(who)s in government: %(liberal)s liberal, %(fascist)s fascist.",
        who=who,
        liberal=made.count("liberal"),
        fascist=made.count("fascist"),
    )


def _having_governed(now: Moment) -> Text | None:
    """Say what a lie about the player's own government would contradict.

    Return None if the player was not in the last government.
    """
    view: View = now.view
    last = view.history[-1] if view.history else None
    if last is None or last.by != "government" or view.phase not in ("nominate", "discuss", "vote"):
        return None
    if now.seat == last.president and last.chancellor is not None:
        return _(
            "What you say you drew has to fit what was enacted, and what %(who)s says.",
            who=last.chancellor,
        )
    if now.seat == last.chancellor and last.president is not None:
        return _(
            "What you say you got has to fit what was enacted, and what %(who)s says.",
            who=last.president,
        )
    return None


def _governed(session: Session, seat: Seat) -> bool:
    return seat in (session.president, session.chancellor)
