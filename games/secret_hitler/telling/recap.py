"""The recap of Secret Hitler: the roles, the governments, and a chart of both policy tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.contract.core import Told, all_seats
from games.contract.data import Seat
from games.contract.recap import Line, Recap, last
from games.contract.words import Fact, Text, _, ngettext
from games.secret_hitler.rules.state import Role, Session, State
from games.secret_hitler.telling.terms import TERMS

PARTY_NAMES: Mapping[str, Text] = {"liberal": _("Liberal"), "fascist": _("Fascist")}
ROLE_NAMES: Mapping[Role, Text] = {
    "liberal": _("Liberal"),
    "fascist": _("Fascist"),
    "hitler": _("Hitler"),
}


def recap(state: State, told: Sequence[Told]) -> Recap:
    """Build the recap from the history, all of which is public at the end."""
    tracks = [(0, state.fascist - sum(s.enacted == "fascist" for s in state.history))]
    stories: list[list[Text]] = []
    number = 0
    for session in state.history:
        liberal, fascist = tracks[-1]
        tracks.append(
            (liberal + (session.enacted == "liberal"), fascist + (session.enacted == "fascist"))
        )
        number += session.president is not None
        told_of = _moments(state, session)
        stories.append([_numbered(number, session, moment) for moment in told_of])
    return Recap(
        measure=_("Policies"),
        lines=(
            Line(of=_("Liberal policies"), values=tuple(liberal for liberal, _f in tracks)),
            Line(of=_("Fascist policies"), values=tuple(fascist for _l, fascist in tracks)),
        ),
        was={Seat(at): ROLE_NAMES[role] for at, role in enumerate(state.roles)},
        mine=_mine(state),
        did=_did(state),
        moments=last(stories),
    )


def _mine(state: State) -> dict[Seat, Text]:
    """Return a sentence for each player about their own role.

    There is none for Hitler if Hitler's death or election ended the match.
    """
    fascists = tuple(Seat(at) for at, role in enumerate(state.roles) if role == "fascist")
    hitler = Seat(state.roles.index("hitler"))
    said = {
        "liberal": _("You were a liberal."),
        "fascist": _("You were a fascist, and %(hitler)s was Hitler.", hitler=hitler),
        "hitler": _("You were Hitler, with %(team)s.", team=fascists),
    }
    told = {Seat(at): said[role] for at, role in enumerate(state.roles)}
    if state.reason in ("hitler_executed", "hitler_elected"):
        del told[hitler]
    return told


def _did(state: State) -> dict[Seat, tuple[Text, ...]]:
    ja, governed, gifts = Counter[Seat](), Counter[Seat](), Counter[Seat]()
    for session in state.history:
        ja.update(seat for seat, vote in (session.votes or {}).items() if vote)
        if session.by == "government":
            both = [seat for seat in (session.president, session.chancellor) if seat is not None]
            governed.update(both)
            gifts.update(both if session.enacted == "fascist" else ())
    return {
        seat: (
            ngettext("in %(count)s government", "in %(count)s governments", governed[seat]),
            ngettext(
                "%(count)s fascist policy enacted",
                "%(count)s fascist policies enacted",
                gifts[seat],
            ),
            ngettext("voted Ja once", "voted Ja %(count)s times", ja[seat]),
        )
        for seat in all_seats(len(state.roles))
    }


def _numbered(number: int, session: Session, moment: Text) -> Text:
    """Prefix a moment with the number of its election.

    Chaos has no number and names the three elections before it.
    """
    if session.president is None:
        return moment.of(first=number - 2, number=number)
    return _("Election %(number)s: %(what)s", number=number, what=moment)


def _moments(state: State, session: Session) -> list[Text]:
    """Describe memorable moments of an election or of chaos, addressing the players involved."""
    found = [] if session.president is None else _governed(state, session, session.president)
    if session.by == "chaos" and session.enacted is not None:
        chaos = _(
            "Elections %(first)s to %(number)s: three governments fail, and the top policy passes:"
            " %(policy)s.",
            policy=TERMS[session.enacted],
        )
        found.append(chaos)
    return found


def _governed(state: State, session: Session, president: Seat) -> list[Text]:
    found: list[Text] = []
    if session.chancellor is not None:
        found += _enacted(state, session, president, session.chancellor)
    if session.target is not None:
        found += _used(state, session, president, session.target)
    return found


def _enacted(state: State, session: Session, president: Seat, chancellor: Seat) -> list[Text]:
    found: list[Text] = []
    if session.passed and state.roles[chancellor] == "hitler":
        text = _("%(chancellor)s, who is Hitler, is elected chancellor.", chancellor=chancellor)
        found.append(text.to(chancellor, _("you are Hitler, and are elected chancellor.")))
    if session.enacted == "fascist" and session.passed_on and "liberal" in session.passed_on:
        text = _(
            "%(chancellor)s could have enacted a liberal policy, and enacted a fascist one.",
            chancellor=chancellor,
        )
        yours = _("you could have enacted a liberal policy, and enacted a fascist one.")
        found.append(text.to(chancellor, yours))
    elif session.enacted == "fascist" and session.drawn and "liberal" in session.drawn:
        text = _("%(president)s drew a liberal policy and didn't pass it on.", president=president)
        yours = _("you drew a liberal policy and didn't pass it on.")
        found.append(text.to(president, yours))
    if session is state.history[-1]:
        found += _completed(state, president, chancellor)
    if session.veto == "accepted":
        text = _(
            "%(president)s and %(chancellor)s veto both policies.",
            president=president,
            chancellor=chancellor,
        )
        text = text.to(president, _("you and %(chancellor)s veto both policies."))
        found.append(text.to(chancellor, _("%(president)s and you veto both policies.")))
    return found


def _completed(state: State, president: Seat, chancellor: Seat) -> list[Text]:
    """Return a sentence about the government that completed a track, if one did."""
    both: dict[str, Fact] = {"president": president, "chancellor": chancellor}
    if state.reason == "liberal_policies":
        text = _("%(president)s and %(chancellor)s enact the fifth liberal policy.", **both)
        text = text.to(president, _("you and %(chancellor)s enact the fifth liberal policy."))
        return [text.to(chancellor, _("%(president)s and you enact the fifth liberal policy."))]
    if state.reason == "fascist_policies":
        text = _("%(president)s and %(chancellor)s enact the sixth fascist policy.", **both)
        text = text.to(president, _("you and %(chancellor)s enact the sixth fascist policy."))
        return [text.to(chancellor, _("%(president)s and you enact the sixth fascist policy."))]
    return []


def _used(state: State, session: Session, president: Seat, target: Seat) -> list[Text]:
    role = state.roles[target]
    facts: dict[str, Fact] = {"president": president, "target": target}
    if session.power == "execute":
        text = _("%(president)s executes %(target)s (%(role)s).", **facts, role=ROLE_NAMES[role])
        text = text.to(president, _("you execute %(target)s (%(role)s)."))
        return [text.to(target, _("%(president)s executes you."))]
    if session.power == "investigate":
        party = PARTY_NAMES["liberal" if role == "liberal" else "fascist"]
        text = _("%(president)s investigates %(target)s (%(party)s).", **facts, party=party)
        text = text.to(president, _("you investigate %(target)s (%(party)s)."))
        return [text.to(target, _("%(president)s investigates you (%(party)s)."))]
    return []
