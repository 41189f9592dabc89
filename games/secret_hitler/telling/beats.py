"""The beats of Secret Hitler: nomination, ballots, a policy, a power."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from msgspec import UNSET

from games.contract.beats import NOTHING, Beat, Beats, Bubbles, Mood, addressed
from games.contract.data import Seat, Viewer
from games.contract.words import Text, _
from games.secret_hitler.rules import events
from games.secret_hitler.rules.events import Events, NotHitlerConfirmed, PlayerInvestigated
from games.secret_hitler.rules.state import Party, Power

POWERS: Mapping[Power, tuple[Text, Text]] = {
    "investigate": (
        _("You may look at a party card"),
        _("%(who)s may look at a party card"),
    ),
    "peek": (
        _("You may look at the next three policies"),
        _("%(who)s may look at the next three policies"),
    ),
    "special": (_("You choose the next candidate"), _("%(who)s chooses the next candidate")),
    "execute": (_("You must execute a player"), _("%(who)s must execute a player")),
}


def beats(event: events.Events) -> tuple[Beat, ...]:
    match event:
        case events.ChancellorNominated(president, chancellor):
            return (_aimed(_NOMINATED, president, chancellor),)
        case events.VotesRevealed():
            return _counted(event)
        case events.TrackerMoved(tracker) if tracker >= 3:
            headline = _("Chaos! The top policy is enacted")
            return (_shown(headline, "chaos"),)
        case events.TrackerMoved(tracker) if tracker:
            failed = _("Failed governments: %(tracker)s of 3", tracker=tracker)
            return (Beat(headline=failed, weight="light"),)
        case events.NotHitlerConfirmed(username=who):
            known = addressed(who, _("They know you are not Hitler"), _("%(who)s is not Hitler"))
            return (Beat(headline=known, beside=_("The match goes on"), weight="heavy", seat=who),)
        case events.PolicyEnacted():
            return (_enacted(event),)
        case events.VetoRequested(username=who):
            asks = addressed(who, _("You ask for a veto"), _("%(who)s asks for a veto"))
            return (Beat(headline=asks, seat=who),)
        case events.VetoAnswered(username=who, accept=accept):
            return (Beat(headline=_veto(who, accept), seat=who),)
        case events.PowerGranted(username=who, power=power):
            return (Beat(headline=addressed(who, *POWERS[power]), seat=who),)
        case events.PlayerInvestigated(username=who, target=target):
            return (_aimed(_INVESTIGATED, who, target),)
        case events.SpecialElectionCalled(username=who, target=target):
            return (_aimed(_CALLED, who, target),)
        case events.PlayerExecuted(username=who, target=target):
            shot = _aimed(_EXECUTED, who, target).headline
            gone = addressed(target, _("You are out"), _("%(who)s is out"))
            return (
                Beat(headline=shot, weight="heavy", stage="execution", sound="shot", seat=target),
                Beat(headline=gone, own={target: "loss"}, seat=target),
            )
        case events.AutopilotSet(username=who, on=on):
            return (Beat(headline=_autopilot(who, on), weight="light", seat=who),)
        case events.RolesRevealed(side=side, roles=roles):
            hitler = next((seat for seat, role in roles.items() if role == "hitler"), None)
            if hitler is None:
                return ()
            was = addressed(hitler, _("You were Hitler"), _("%(who)s was Hitler"))
            won = _WON[side] if side else None
            return (Beat(headline=was, beside=won, weight="heavy", sound="card", seat=hitler),)
        case (
            events.RoleGiven()
            | events.CandidateCalled()
            | events.SaidReady()
            | events.VoteOpened()
            | events.Voted()
            | events.TrackerMoved()
            | events.PoliciesDrawn()
            | events.PoliciesChosen()
            | events.PoliciesPassed()
            | events.DeckReshuffled()
            | events.PartyShown()
            | events.DeckPeeked()
            | events.ExecutiveConfirmed()
        ):
            return ()
        case _:
            assert_never(event)


def bubbles(event: events.Events) -> Bubbles | None:
    match event:
        case events.ChancellorNominated(president, chancellor):
            return _to(
                president, chancellor, _("I nominate **%(target)s**."), _("I nominate **you**.")
            )
        case events.VotesRevealed():  # the seats show the ballots instead
            return Bubbles(fresh=True)
        case events.VetoRequested(username=who):
            return Bubbles(said={who: _("I want a **veto**!")}, fresh=True)
        case events.VetoAnswered(username=who, accept=accept):
            return Bubbles(said={who: _("I **agree**.") if accept else _("I **refuse**.")})
        case events.PolicyEnacted() | events.CandidateCalled():
            return Bubbles(fresh=True)
        case events.PlayerInvestigated(username=who, target=target):
            mine, yours = _("I look at **%(target)s's** card."), _("I look at **your** card.")
            return _to(who, target, mine, yours)
        case events.SpecialElectionCalled(username=who, target=target):
            return _to(who, target, _("I want **%(target)s** next."), _("I want **you** next."))
        case events.PlayerExecuted(username=who, target=target):
            return _to(who, target, _("I execute **%(target)s**."), _("I execute **you**."))
        case _:
            return None


def _to(who: Seat, target: Seat, said: Text, to_target: Text) -> Bubbles:
    """Return bubbles for an announcement to `target`. They replace all earlier bubbles."""
    return Bubbles(said={who: said.of(target=target).to(target, to_target)}, fresh=True)


_WON: Mapping[Party, Text] = {
    "liberal": _("The liberals win"),
    "fascist": _("The fascists win"),
}
_NOMINATED = (
    _("You nominate %(target)s"),
    _("%(who)s nominates you"),
    _("%(who)s nominates %(target)s"),
)
_INVESTIGATED = (
    _("You look at the party card of %(target)s"),
    _("%(who)s looks at your party card"),
    _("%(who)s looks at the party card of %(target)s"),
)
_CALLED = (
    _("You make %(target)s the next candidate"),
    _("%(who)s makes you the next candidate"),
    _("%(who)s makes %(target)s the next candidate"),
)
_EXECUTED = (
    _("You execute %(target)s"),
    _("%(who)s executes you"),
    _("%(who)s executes %(target)s"),
)


def _aimed(said: tuple[Text, Text, Text], who: Seat, target: Seat) -> Beat:
    """Return a beat with one text for the actor, one for the target and one for all others."""
    mine, at_me, others = said
    headline = addressed(who, mine, others, target=target).to(target, at_me)
    return Beat(headline=headline, seat=who)


def _shown(headline: Text, stage: str, who: Viewer = None) -> Beat:
    """Return a beat whose drawing contains the headline."""
    return Beat(
        headline=headline, beside=NOTHING, weight="heavy", stage=stage, sound="heartbeat", seat=who
    )


def _counted(event: events.VotesRevealed) -> tuple[Beat, ...]:
    """Reveal the ballots. Late in the match, first ask whether the chancellor is Hitler."""
    voted = _("Everybody has voted")
    drawn = [Beat(headline=voted, weight="heavy", stage="ballots", sound="drum")]
    if (who := event.suspect) is not UNSET:
        elected = _("Elected: %(ja)s Ja, %(nein)s Nein", ja=event.ja, nein=event.nein)
        asked = addressed(who, _("Are you Hitler?"), _("Is %(who)s Hitler?"))
        return (
            *drawn,
            Beat(headline=elected, stage="elected", sound="ballot"),
            _shown(asked, "hitler", who),
        )
    votes = _("%(ja)s Ja, %(nein)s Nein", ja=event.ja, nein=event.nein)
    elected, rejected = _("The government is elected"), _("The government is rejected")
    follows = _("Three policies are drawn") if event.passed else _("The presidency moves on")
    return (
        *drawn,
        Beat(headline=votes, beside=follows, sound="ballot"),
        Beat(headline=elected if event.passed else rejected, beside=follows),
    )


def _of_act(beats: tuple[Beat, ...]) -> tuple[Beat, ...]:
    """Before chaos, show that the government is rejected for a moment, without the count."""
    stages = [beat.stage for beat in beats]
    if "ballots" not in stages or "chaos" not in stages:
        return beats
    voted, chaos = stages.index("ballots"), stages.index("chaos")
    rejected = replace(beats[chaos - 1], stage="rejected", sound="ballot", beside=None)
    return (*beats[: voted + 1], rejected, *beats[chaos:])


def _enacted(event: events.PolicyEnacted) -> Beat:
    if event.policy == "liberal":
        headline = _("Liberal policy: %(count)s of 5", count=event.liberal)
    else:
        headline = _("Fascist policy: %(count)s of 6", count=event.fascist)
    return Beat(headline=headline, weight="heavy", sound="card")


def _veto(who: Seat, accept: bool) -> Text:
    if accept:
        return addressed(who, _("You agree to the veto"), _("%(who)s agrees to the veto"))
    return addressed(who, _("You refuse the veto"), _("%(who)s refuses the veto"))


def _autopilot(who: Seat, on: bool) -> Text:
    if on:
        return addressed(who, _("You have left"), _("%(who)s has left"))
    return addressed(who, _("You are back"), _("%(who)s is back"))


def moods(event: Events) -> Mapping[Seat, Mood]:
    """Return the moods of the players.

    A player who is investigated sweats, and one cleared of being Hitler grins.
    """
    match event:
        case NotHitlerConfirmed(who):
            return {who: "grin"}
        case PlayerInvestigated(target=target):
            return {target: "sweat"}
        case _:
            return {}


BEATS = Beats(of=beats, act=_of_act, bubbles=bubbles, moods=moods)
