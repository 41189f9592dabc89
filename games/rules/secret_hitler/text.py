"""The sentences of Secret Hitler."""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from games.rules.core import Echo
from games.rules.data import BySeat, Viewer
from games.rules.secret_hitler import events
from games.rules.secret_hitler.state import Party, Power, Role, Tiles, View
from games.rules.secret_hitler.terms import MOVES, TERMS
from games.rules.words import Fact, Text, Words, _, unasked


def prompt(view: View, viewer: Viewer) -> Text:
    if view.phase == "over":
        return _ending(view)
    if viewer is not None and not view.players[viewer].alive:
        return _("You have been executed. %(what)s", what=_table(view))
    if viewer is not None and view.players[viewer].autopilot:
        return _("Your seat acts by itself until you take it back. %(what)s", what=_table(view))
    mine = viewer == (view.chancellor if view.phase == "chancellor_enact" else view.candidate)
    if view.phase == "vote":
        return _vote(view, viewer)
    return _your_turn(view) if mine else _table(view)


def _ending(view: View) -> Text:
    hitler = _hitler(view.roles or BySeat())
    if view.side == "liberal":
        if view.liberal >= 5:
            return _("The liberals have won: five liberal policies stand.")
        return _("The liberals have won: %(who)s was Hitler, and is dead.", who=hitler)
    if view.side == "fascist":
        if view.fascist >= 6:
            return _("The fascists have won: six fascist policies stand.")
        return _("The fascists have won: Hitler is chancellor. It is %(who)s.", who=hitler)
    return _("The match was broken off, and nobody has won.")


def _vote(view: View, viewer: Viewer) -> Text:
    pair = _pair(view)
    if viewer is None:
        return _("Everybody votes on %(president)s with %(chancellor)s as chancellor.", **pair)
    if viewer in view.voted:
        return _(
            "You have voted on %(president)s with %(chancellor)s; we wait for the others.", **pair
        )
    return _("Vote: %(president)s as president, %(chancellor)s as chancellor?", **pair)


def _pair(view: View) -> dict[str, Fact]:
    chancellor = view.candidate if view.chancellor is None else view.chancellor
    return {"president": view.candidate, "chancellor": chancellor}


def _your_turn(view: View) -> Text:
    match view.phase:
        case "nominate" if view.special:
            return _("Your turn: this special election is yours. Whom do you want as chancellor?")
        case "nominate":
            return _("Your turn: whom do you want as your chancellor?")
        case "president_discard":
            return _("Your turn: keep two of these three policies for your chancellor.")
        case "chancellor_enact" if view.veto_unlocked and not view.veto_refused:
            return _("Your turn: enact one of these two policies, or ask for a veto.")
        case "chancellor_enact" if view.veto_refused:
            return _("Your turn: the veto was refused, so enact one of these two policies.")
        case "chancellor_enact":
            return _("Your turn: enact one of these two policies.")
        case "veto_confirm":
            return _("Your turn: %(chancellor)s asks for a veto. Do you agree?", **_pair(view))
        case "power_investigate":
            return _("Your turn: whose party card do you want to see?")
        case "power_special":
            return _("Your turn: who shall be the next candidate for president?")
        case "power_execute":
            return _("Your turn: whom do you execute?")
        case "power_ack" if view.power == "peek":
            return _("Your turn: these three policies come next. Go on when you have seen them.")
        case "power_ack":
            return _("Your turn: look at the party card, then go on.")
        case "vote" | "over":
            return _table(view)
        case _:
            assert_never(view.phase)


def _table(view: View) -> Text:
    pair = _pair(view)
    match view.phase:
        case "nominate" if view.special:
            return _("Special election: we wait for %(president)s to choose a chancellor.", **pair)
        case "nominate":
            return _("We wait for %(president)s to choose a chancellor.", **pair)
        case "vote":
            return _("Everybody votes on %(president)s with %(chancellor)s as chancellor.", **pair)
        case "president_discard":
            return _("We wait for %(president)s to discard one of three policies.", **pair)
        case "chancellor_enact":
            return _("We wait for %(chancellor)s to enact one of two policies.", **pair)
        case "veto_confirm":
            return _("%(chancellor)s asks for a veto; we wait for %(president)s to answer.", **pair)
        case "power_investigate":
            return _("We wait for %(president)s to choose whose party card to see.", **pair)
        case "power_special":
            return _("We wait for %(president)s to name the next candidate.", **pair)
        case "power_execute":
            return _("We wait for %(president)s to execute somebody.", **pair)
        case "power_ack" if view.power == "peek":
            return _("%(president)s looks at the next three policies.", **pair)
        case "power_ack":
            return _("%(president)s looks at a party card.", **pair)
        case "over":
            return _ending(view)
        case _:
            assert_never(view.phase)


def event(happened: events.Events) -> Text:
    """What happened, and whether a hand did it."""
    if isinstance(happened, events.Voted) and happened.auto == "clock":
        return _("%(who)s did not answer in time, which counts as nein.", who=happened.username)
    if isinstance(happened, Echo):
        return unasked(happened.auto, _actor(happened), _said(happened))
    return _said(happened)


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
        case events.RoleGiven():
            return _role_given(happened)
        case events.CandidateCalled(candidate, special=True):
            return _("%(who)s is the candidate of a special election.", who=candidate)
        case events.CandidateCalled(candidate):
            return _("%(who)s is the candidate for president.", who=candidate)
        case events.ChancellorNominated(president, chancellor):
            return _(
                "%(president)s nominates %(chancellor)s as chancellor.",
                president=president,
                chancellor=chancellor,
            )
        case events.Voted(username):
            return _("%(who)s has voted.", who=username)
        case events.VotesRevealed():
            return _votes_revealed(happened)
        case events.TrackerMoved(tracker):
            return _tracker_moved(tracker)
        case events.NotHitlerConfirmed(username):
            return _("%(who)s is chancellor now, and therefore not Hitler.", who=username)
        case events.PoliciesDrawn(policies):
            return _("You draw: %(policies)s.", policies=_tiles(policies))
        case events.PoliciesChosen(username):
            return _("%(who)s discards a policy and passes on two.", who=username)
        case events.PoliciesPassed(policies):
            return _("You are passed: %(policies)s.", policies=_tiles(policies))
        case events.PolicyEnacted():
            return _policy_enacted(happened)
        case events.VetoRequested(username):
            return _("%(who)s asks for a veto.", who=username)
        case events.VetoAnswered(username, accept=True):
            return _("%(who)s agrees to the veto; all three policies are discarded.", who=username)
        case events.VetoAnswered(username):
            return _("%(who)s refuses the veto.", who=username)
        case events.DeckReshuffled(size):
            return _("The discards go back into the deck, which now has %(size)s.", size=size)
        case events.PowerGranted(username, power):
            return _power_granted(power)(username)
        case events.PlayerInvestigated(username, target):
            return _("%(who)s looks at the party card of %(target)s.", who=username, target=target)
        case events.PartyShown(target, party):
            return _party_shown(party)(target)
        case events.DeckPeeked(policies):
            return _("The next three policies are: %(policies)s.", policies=_tiles(policies))
        case events.ExecutiveConfirmed(username):
            return _("%(who)s has seen enough.", who=username)
        case events.SpecialElectionCalled(username, target):
            return _("%(who)s makes %(target)s the next candidate.", who=username, target=target)
        case events.PlayerExecuted(username, target):
            return _("%(who)s executes %(target)s.", who=username, target=target)
        case events.AutopilotSet(username, on=True):
            return _("%(who)s has left; the seat acts by itself, and does not vote.", who=username)
        case events.AutopilotSet(username):
            return _("%(who)s is back.", who=username)
        case events.RolesRevealed():
            return _roles_revealed(happened)
        case _:
            assert_never(happened)


def _tiles(policies: Tiles) -> Fact:
    return tuple(TERMS[policy] for policy in policies)


def _role_given(given: events.RoleGiven) -> Text:
    team = tuple(seat for seat, known in given.knows.items() if known.role == "fascist")
    hitler = _hitler(BySeat({seat: known.role for seat, known in given.knows.items()}))
    if given.role == "liberal":
        return _("You are a liberal.")
    if given.role == "hitler":
        if team:
            return _("You are Hitler. On your side: %(team)s.", team=team)
        return _("You are Hitler. The fascists know you; you do not know them.")
    if team:
        return _(
            "You are a fascist, with %(team)s. Hitler is %(hitler)s.", team=team, hitler=hitler
        )
    return _("You are a fascist. Hitler is %(hitler)s.", hitler=hitler)


def _hitler(roles: BySeat[Role] | BySeat[Role | None]) -> Fact:
    return next((seat for seat, role in roles.items() if role == "hitler"), TERMS["hitler"])


def _votes_revealed(told: events.VotesRevealed) -> Text:
    count: dict[str, Fact] = {"ja": told.ja, "nein": told.nein}
    if told.passed:
        return _("The government is elected: %(ja)s ja, %(nein)s nein.", **count)
    return _("The government is voted down: %(ja)s ja, %(nein)s nein.", **count)


def _tracker_moved(tracker: int) -> Text:
    if tracker == 0:
        return _("The election tracker goes back to the start.")
    if tracker == 1:
        return _("One government in a row has enacted nothing; the third brings chaos.")
    if tracker == 2:
        return _("Two governments in a row have enacted nothing; one more brings chaos.")
    return _("Chaos: the policy on top of the deck is enacted.")


def _policy_enacted(told: events.PolicyEnacted) -> Text:
    if told.policy == "liberal":
        return _("A liberal policy is enacted: %(count)s of 5.", count=told.liberal)
    return _("A fascist policy is enacted: %(count)s of 6.", count=told.fascist)


def _power_granted(power: Power) -> Callable[[Fact], Text]:
    match power:
        case "investigate":
            return lambda who: _("%(who)s may look at somebody's party card.", who=who)
        case "peek":
            return lambda who: _("%(who)s may look at the next three policies.", who=who)
        case "special":
            return lambda who: _("%(who)s may name the next candidate for president.", who=who)
        case "execute":
            return lambda who: _("%(who)s has to execute somebody.", who=who)
        case _:
            assert_never(power)


def _party_shown(party: Party) -> Callable[[Fact], Text]:
    if party == "liberal":
        return lambda who: _("%(who)s belongs to the liberals.", who=who)
    return lambda who: _("%(who)s belongs to the fascists.", who=who)


def _roles_revealed(told: events.RolesRevealed) -> Text:
    hitler = _hitler(told.roles)
    fascists = tuple(seat for seat, role in told.roles.items() if role == "fascist")
    who: dict[str, Fact] = {"hitler": hitler, "fascists": fascists}
    if told.side == "liberal":
        return _("The liberals win. Hitler was %(hitler)s; on that side: %(fascists)s.", **who)
    if told.side == "fascist":
        return _("The fascists win. Hitler was %(hitler)s; on that side: %(fascists)s.", **who)
    return _("The match is broken off. Hitler was %(hitler)s; fascists: %(fascists)s.", **who)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "not_eligible":
            return _("That player cannot be chancellor now; choose one of %(eligible)s.", **facts)
        case "bad_choice" if facts["choose"] == 2:
            return _("Keep two different policies of the three.")
        case "bad_choice":
            return _("Enact one of the two policies before you.")
        case "veto_locked":
            return _(
                "A veto needs %(needed)s fascist policies; there are %(have)s so far.", **facts
            )
        case "veto_refused":
            return _("The veto was refused; enact one of the two policies.")
        case "bad_target":
            return _("That player cannot be chosen now; choose one of %(targets)s.", **facts)
        case _:
            raise KeyError(code)


def move(name: str) -> Text:
    return MOVES[name]


def choice(view: View, move: str, argument: str, value: Any) -> Text | None:
    """A tile by what is printed on it, a ballot by its word."""
    if argument in ("keep", "enact"):
        return TERMS[view.hand[value]]
    if argument == "ja":
        return _("Ja") if value else _("Nein")
    return None


WORDS = Words(
    tagline=_("A secret minority, a shuffled deck of policies, and nobody to trust."),
    prompt=prompt,
    event=event,
    refusal=refusal,
    move=move,
    choice=choice,
    terms=TERMS,
)
