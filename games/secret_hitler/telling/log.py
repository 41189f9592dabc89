"""The log of Secret Hitler: every event as a sentence."""

from typing import assert_never

from msgspec import UNSET

from games.contract.core import Echo
from games.contract.data import BySeat
from games.contract.words import Fact, Text, _, ngettext, unasked
from games.secret_hitler.rules import events
from games.secret_hitler.rules.state import Party, Power, Role, Tiles
from games.secret_hitler.telling.terms import TERMS


def heading(happened: events.Events) -> Text | None:
    """Return the heading of the log section that begins with this event, or None.

    Each election is a section.
    """
    if not isinstance(happened, events.CandidateCalled):
        return None
    return _("Special election") if happened.special else _("Election")


def event(happened: events.Events) -> Text | None:
    """Return an event as a sentence, which says if the move was automatic.

    Return None for a ballot that the player has cast.
    """
    if isinstance(happened, events.Voted) and happened.auto is UNSET:
        return None
    if isinstance(happened, events.Voted) and happened.auto == "clock":
        late = _("%(who)s ran out of time, which counts as Nein.", who=happened.username)
        return late.to(happened.username, _("You ran out of time, which counts as Nein."))
    if isinstance(happened, Echo):
        return unasked(happened.auto, _actor(happened), _said(happened))
    return _said(happened)


def hitler_among(roles: BySeat[Role] | BySeat[Role | None]) -> Fact:
    """Return Hitler's seat, or the word "Hitler" if the seat is unknown."""
    return next((seat for seat, role in roles.items() if role == "hitler"), TERMS["hitler"])


def _actor(echo: Echo) -> Fact:
    match echo:
        case events.ChancellorNominated(president):
            return president
        case events.PolicyEnacted():
            return _("The chancellor")
        case _:
            actor: Fact = getattr(echo, "username")  # noqa: B009  (every other echo has one)
            return actor


def _said(happened: events.Events) -> Text:
    match happened:
        case (
            events.RoleGiven()
            | events.PoliciesDrawn()
            | events.PoliciesPassed()
            | events.PartyShown()
            | events.DeckPeeked()
        ):
            return _alone(happened)
        case (
            events.CandidateCalled()
            | events.ChancellorNominated()
            | events.SaidReady()
            | events.VoteOpened()
            | events.Voted()
            | events.VotesRevealed()
            | events.TrackerMoved()
            | events.NotHitlerConfirmed()
        ):
            return _election(happened)
        case (
            events.PoliciesChosen()
            | events.PolicyEnacted()
            | events.VetoRequested()
            | events.VetoAnswered()
            | events.DeckReshuffled()
        ):
            return _government(happened)
        case (
            events.PowerGranted()
            | events.PlayerInvestigated()
            | events.ExecutiveConfirmed()
            | events.SpecialElectionCalled()
            | events.PlayerExecuted()
        ):
            return _power(happened)
        case events.AutopilotSet(username, on=True):
            return _("%(who)s's seat now plays at random, and doesn't vote.", who=username)
        case events.AutopilotSet(username):
            return _("%(who)s is back.", who=username).to(username, _("You are back."))
        case events.RolesRevealed():
            return _roles_revealed(happened)
        case _:
            assert_never(happened)


def _alone(
    told: events.RoleGiven
    | events.PoliciesDrawn
    | events.PoliciesPassed
    | events.PartyShown
    | events.DeckPeeked,
) -> Text:
    """Return the sentence for an event that is revealed to only one seat."""
    match told:
        case events.RoleGiven():
            return _role_given(told)
        case events.PoliciesDrawn(policies):
            return _("You draw: %(policies)s.", policies=_tiles(policies))
        case events.PoliciesPassed(policies):
            return _("Your president hands you: %(policies)s.", policies=_tiles(policies))
        case events.PartyShown(target, party):
            return _party_shown(party).of(who=target)
        case events.DeckPeeked(policies):
            return _("Next three policies: %(policies)s.", policies=_tiles(policies))
        case _:
            assert_never(told)


def _election(
    told: events.CandidateCalled
    | events.ChancellorNominated
    | events.SaidReady
    | events.VoteOpened
    | events.Voted
    | events.VotesRevealed
    | events.TrackerMoved
    | events.NotHitlerConfirmed,
) -> Text:
    match told:
        case events.CandidateCalled(who, special=True):
            text = _("Special election: %(who)s runs for president.", who=who)
            return text.to(who, _("Special election: you run for president."))
        case events.CandidateCalled(who):
            text = _("%(who)s runs for president.", who=who)
            return text.to(who, _("You run for president."))
        case events.ChancellorNominated(president, chancellor):
            text = _(
                "%(president)s nominates %(chancellor)s as chancellor.",
                president=president,
                chancellor=chancellor,
            )
            yours = _("You nominate %(chancellor)s as chancellor.")
            return text.to(president, yours).to(
                chancellor, _("%(president)s nominates you as chancellor.")
            )
        case events.SaidReady(who):
            return _("%(who)s is ready to vote.", who=who).to(who, _("You are ready to vote."))
        case events.VoteOpened():
            return _("Everybody votes.")
        case events.Voted(username):
            return _("%(who)s has voted.", who=username).to(username, _("You have voted."))
        case events.VotesRevealed():
            return _votes_revealed(told)
        case events.TrackerMoved(tracker):
            return _tracker_moved(tracker)
        case events.NotHitlerConfirmed(who):
            text = _("%(who)s is chancellor, so they're not Hitler.", who=who)
            return text.to(who, _("You are chancellor, so everybody knows you're not Hitler."))
        case _:
            assert_never(told)


def _government(
    told: events.PoliciesChosen
    | events.PolicyEnacted
    | events.VetoRequested
    | events.VetoAnswered
    | events.DeckReshuffled,
) -> Text:
    match told:
        case events.PoliciesChosen(who):
            text = _("%(who)s discards a policy and passes on two.", who=who)
            return text.to(who, _("You discard a policy and pass on two."))
        case events.PolicyEnacted(policy="liberal", liberal=count):
            return _("A liberal policy passes: %(count)s of 5.", count=count)
        case events.PolicyEnacted(fascist=count):
            return _("A fascist policy passes: %(count)s of 6.", count=count)
        case events.VetoRequested(who):
            return _("%(who)s asks for a veto.", who=who).to(who, _("You ask for a veto."))
        case events.VetoAnswered(who, accept=True):
            text = _("%(who)s agrees to the veto. All three policies are discarded.", who=who)
            return text.to(who, _("You agree to the veto. All three policies are discarded."))
        case events.VetoAnswered(who):
            return _("%(who)s refuses the veto.", who=who).to(who, _("You refuse the veto."))
        case events.DeckReshuffled(size):
            return ngettext(
                "The discards are shuffled back in: %(count)s policy in the deck.",
                "The discards are shuffled back in: %(count)s policies in the deck.",
                size,
            )
        case _:
            assert_never(told)


def _power(
    told: events.PowerGranted
    | events.PlayerInvestigated
    | events.ExecutiveConfirmed
    | events.SpecialElectionCalled
    | events.PlayerExecuted,
) -> Text:
    match told:
        case events.PowerGranted(who, power):
            text, yours = _granted(power)
            return text.of(who=who).to(who, yours)
        case events.PlayerInvestigated(who, target):
            text = _("%(who)s looks at %(target)s's party card.", who=who, target=target)
            yours = _("You look at %(target)s's party card.")
            at_you = _("%(who)s looks at your party card.")
        case events.ExecutiveConfirmed(who):
            return _("%(who)s has seen enough.", who=who).to(who, _("You have seen enough."))
        case events.SpecialElectionCalled(who, target):
            text = _("%(who)s makes %(target)s the next candidate.", who=who, target=target)
            yours = _("You make %(target)s the next candidate.")
            at_you = _("%(who)s makes you the next candidate.")
        case events.PlayerExecuted(who, target):
            text = _("%(who)s executes %(target)s.", who=who, target=target)
            yours = _("You execute %(target)s.")
            at_you = _("%(who)s executes you. You're out.")
        case _:
            assert_never(told)
    return text.to(who, yours).to(target, at_you)


def _tiles(policies: Tiles) -> Fact:
    return tuple(TERMS[policy] for policy in policies)


def _role_given(given: events.RoleGiven) -> Text:
    team = tuple(seat for seat, known in given.knows.items() if known.role == "fascist")
    hitler = hitler_among(BySeat({seat: known.role for seat, known in given.knows.items()}))
    if given.role == "liberal":
        return _("You are a liberal.")
    if given.role == "hitler":
        if team:
            return _("You are Hitler. Your fellow fascist: %(team)s.", team=team)
        return _("You are Hitler. The fascists know you; you don't know them.")
    if team:
        return ngettext(
            "You are a fascist. Your fellow fascist: %(team)s. Hitler is %(hitler)s.",
            "You are a fascist. Your fellow fascists: %(team)s. Hitler is %(hitler)s.",
            len(team),
            team=team,
            hitler=hitler,
        )
    return _("You are a fascist. Hitler is %(hitler)s.", hitler=hitler)


def _votes_revealed(told: events.VotesRevealed) -> Text:
    count: dict[str, Fact] = {"ja": told.ja, "nein": told.nein}
    if told.passed:
        return _("Elected: %(ja)s Ja, %(nein)s Nein.", **count)
    return _("Voted down: %(ja)s Ja, %(nein)s Nein.", **count)


def _tracker_moved(tracker: int) -> Text:
    if tracker == 0:
        return _("The election tracker is back at the start.")
    if tracker == 1:
        return _("1 failed government. After 3, the top policy passes.")
    if tracker == 2:
        return _("2 failed governments. After 1 more, the top policy passes.")
    return _("Chaos: 3 failed governments, so the top policy passes.")


def _granted(power: Power) -> tuple[Text, Text]:
    match power:
        case "investigate":
            return _("%(who)s gets to see a party card."), _("You get to see a party card.")
        case "peek":
            return (
                _("%(who)s gets to see the next three policies."),
                _("You get to see the next three policies."),
            )
        case "special":
            return (
                _("%(who)s gets to name the next candidate."),
                _("You get to name the next candidate."),
            )
        case "execute":
            return _("%(who)s must execute a player."), _("You must execute a player.")
        case _:
            assert_never(power)


def _party_shown(party: Party) -> Text:
    if party == "liberal":
        return _("%(who)s's party card says liberal.")
    return _("%(who)s's party card says fascist.")


def _roles_revealed(told: events.RolesRevealed) -> Text:
    fascists = tuple(seat for seat, role in told.roles.items() if role == "fascist")
    return ngettext(
        "Hitler was %(hitler)s, the fascist %(fascists)s.",
        "Hitler was %(hitler)s, the fascists %(fascists)s.",
        len(fascists),
        hitler=hitler_among(told.roles),
        fascists=fascists,
    )
