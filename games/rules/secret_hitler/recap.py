"""Secret Hitler, looked back on: who everybody was, the governments, and how the tracks filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.rules.core import Told
from games.rules.data import Seat
from games.rules.recap import Line, Recap, last
from games.rules.secret_hitler.state import Role, Session, State
from games.rules.secret_hitler.terms import TERMS
from games.rules.words import Fact, Text, _, ngettext

PARTY_NAMES: Mapping[str, Text] = {"liberal": _("Liberal"), "fascist": _("Fascist")}
ROLE_NAMES: Mapping[Role, Text] = {
    "liberal": _("Liberal"),
    "fascist": _("Fascist"),
    "hitler": _("Hitler"),
}


def recap(state: State, told: Sequence[Told]) -> Recap:
    """Told by the history, all of which lies open at the end."""
    ja, gifts = Counter[Seat](), Counter[Seat]()
    governed = Counter[Seat]()
    tracks = [(0, state.fascist - sum(s.enacted == "fascist" for s in state.history))]
    moments: list[Text] = []
    for session in state.history:
        ja.update(seat for seat, vote in (session.votes or {}).items() if vote)
        if session.by == "government" and session.president is not None:
            government = [
                seat for seat in (session.president, session.chancellor) if seat is not None
            ]
            governed.update(government)
            gifts.update(government if session.enacted == "fascist" else ())
        liberal, fascist = tracks[-1]
        tracks.append(
            (liberal + (session.enacted == "liberal"), fascist + (session.enacted == "fascist"))
        )
        moments += _moments(state, session)
    return Recap(
        measure=_("Policies"),
        lines=(
            Line(of=_("Liberal policies"), values=tuple(liberal for liberal, _f in tracks)),
            Line(of=_("Fascist policies"), values=tuple(fascist for _l, fascist in tracks)),
        ),
        was={Seat(at): ROLE_NAMES[role] for at, role in enumerate(state.roles)},
        did={
            Seat(at): (
                ngettext("in %(count)s government", "in %(count)s governments", governed[Seat(at)]),
                ngettext(
                    "%(count)s fascist policy enacted",
                    "%(count)s fascist policies enacted",
                    gifts[Seat(at)],
                ),
                ngettext("voted Ja once", "voted Ja %(count)s times", ja[Seat(at)]),
            )
            for at in range(len(state.roles))
        },
        moments=last(moments),
    )


def _moments(state: State, session: Session) -> list[Text]:
    found: list[Text] = []
    facts: dict[str, Fact] = {
        name: seat
        for name, seat in (
            ("president", session.president),
            ("chancellor", session.chancellor),
            ("target", session.target),
        )
        if seat is not None
    }
    hitler = session.chancellor is not None and state.roles[session.chancellor] == "hitler"
    if session.passed and hitler:
        found.append(_("%(chancellor)s, who is Hitler, is elected chancellor.", **facts))
    if session.by == "chaos" and session.enacted is not None:
        found.append(_("Chaos: a %(policy)s policy passes.", policy=TERMS[session.enacted]))
    if session.enacted == "fascist" and session.passed_on and "liberal" in session.passed_on:
        found.append(
            _(
                "%(chancellor)s could have enacted a liberal policy, and enacted a fascist one.",
                **facts,
            )
        )
    elif session.enacted == "fascist" and session.drawn and "liberal" in session.drawn:
        found.append(_("%(president)s drew a liberal policy and didn't pass it on.", **facts))
    if session.veto == "accepted":
        found.append(_("%(president)s and %(chancellor)s veto both policies.", **facts))
    if session.power == "execute" and session.target is not None:
        role = ROLE_NAMES[state.roles[session.target]]
        found.append(_("%(president)s executes %(target)s (%(role)s).", **facts, role=role))
    if session.power == "investigate" and session.target is not None:
        party = PARTY_NAMES["liberal" if state.roles[session.target] == "liberal" else "fascist"]
        found.append(_("%(president)s investigates %(target)s (%(party)s).", **facts, party=party))
    return found
