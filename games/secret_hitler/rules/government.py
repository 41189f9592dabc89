"""The effects of each answer: elections, sessions, chaos, powers, and the end of the match."""

from collections.abc import Mapping

from msgspec import UNSET

from games.contract.core import Refused
from games.contract.data import BySeat, Seat
from games.secret_hitler.rules import events
from games.secret_hitler.rules.board import (
    CHAOS,
    DRAWN,
    FASCIST_GOAL,
    HITLER_ZONE,
    LIBERAL_GOAL,
    VETO_UNLOCKED,
    eligible,
    next_alive,
    party_of,
    powers,
    self_acting,
    side_of,
    still_talking,
    still_to_vote,
    targets,
)
from games.secret_hitler.rules.state import (
    AutoBy,
    Government,
    Party,
    Phase,
    Power,
    Reason,
    Session,
    Source,
    State,
)
from games.secret_hitler.rules.step import Step

_PHASES: dict[Power, Phase] = {
    "investigate": "power_investigate",
    "peek": "power_ack",
    "special": "power_special",
    "execute": "power_execute",
}


def next_election(step: Step) -> None:
    """Call the next election in the regular rotation, even after a special election."""
    seat = next_alive(step.state, step.state.rotation)
    step.set(rotation=seat)
    call_election(step, seat, special=False)


def call_election(step: Step, candidate: Seat, special: bool) -> None:
    step.ask(
        "nominate",
        candidate=candidate,
        special=special,
        chancellor=None,
        veto_refused=False,
        turn_count=step.state.turn_count + 1,
    )
    step.tell_all(events.CandidateCalled(candidate, eligible(step.state), special))


def nominate(step: Step, player: Seat) -> None:
    allowed = eligible(step.state)
    if player not in allowed:
        raise Refused("not_eligible", eligible=allowed)
    proposed = {"chancellor": player, "nominated_by": step.auto}
    if step.state.options.discussion:
        step.ask("discuss", ready=(), **proposed)
    else:
        step.ask("vote", votes=BySeat(), **proposed)
    step.tell_all(events.ChancellorNominated(step.state.candidate, player))


def say_ready(step: Step, seat: Seat) -> None:
    step.answer(seat, ready=tuple(sorted((*step.state.ready, seat))))
    step.tell_all(events.SaidReady(seat))
    if not still_talking(step.state):
        open_vote(step)


def open_vote(step: Step) -> None:
    """End the discussion and open the vote."""
    step.ask("vote", votes=BySeat(), ready=())
    step.tell_all(events.VoteOpened())


def vote(step: Step, seat: Seat, ja: bool) -> None:
    step.answer(seat, votes=step.state.votes.but(seat, ja))
    step.tell_all(events.Voted(seat))
    if step.auto == "clock":
        step.silent = (*step.silent, seat)
    if not still_to_vote(step.state):
        count(step)


def count(step: Step) -> None:
    """Reveal the ballots in seat order.

    An absent seat has a ballot only if it voted before it left.
    """
    state = step.state
    votes = BySeat(sorted(state.votes.items()))
    ja = sum(votes.values())
    nein = len(votes) - ja
    passed = ja > nein
    step.set(votes=votes)
    late = state.fascist >= HITLER_ZONE
    suspect = state.chancellor if passed and late and state.chancellor is not None else UNSET
    step.tell_all(events.VotesRevealed(votes, ja, nein, passed, step.silent, suspect))
    step.begin_session(
        Session(
            president=state.candidate,
            chancellor=state.chancellor,
            special=state.special,
            votes=votes,
            passed=passed,
            auto=step.silent,
            auto_by=AutoBy(nominate=state.nominated_by),
        )
    )
    if not passed:
        _inactive(step)
    elif state.chancellor is not None:
        _elected(step, state.candidate, state.chancellor)


def _elected(step: Step, president: Seat, chancellor: Seat) -> None:
    step.set(last_elected=Government(president, chancellor))
    state = step.state
    if state.fascist >= HITLER_ZONE:
        if state.roles[chancellor] == "hitler":
            end(step, "hitler_elected")
            return
        if chancellor not in state.confirmed_not_hitler:
            confirmed = sorted((*state.confirmed_not_hitler, chancellor))
            step.set(confirmed_not_hitler=tuple(confirmed))
            step.tell_all(events.NotHitlerConfirmed(chancellor))
    hand = state.deck[:DRAWN]
    step.ask("president_discard", hand=hand, deck=state.deck[DRAWN:], peeked_by=None)
    step.note(drawn=hand)
    step.tell_only(president, events.PoliciesDrawn(hand))


def discard(step: Step, keep: tuple[int, ...]) -> None:
    state = step.state
    if len(keep) != 2 or len(set(keep)) != 2 or not set(keep) <= {0, 1, 2}:
        raise Refused("bad_choice", choose=2, of=3)
    kept = tuple(tile for at, tile in enumerate(state.hand) if at in keep)
    thrown = tuple(tile for at, tile in enumerate(state.hand) if at not in keep)
    step.ask("chancellor_enact", hand=kept, discard=state.discard + thrown)
    step.decided("discard", passed_on=kept)
    step.tell_all(events.PoliciesChosen(state.candidate))
    if state.chancellor is not None:
        step.tell_only(state.chancellor, events.PoliciesPassed(kept))


def enact(step: Step, at: int) -> None:
    state = step.state
    if at not in (0, 1):
        raise Refused("bad_choice", choose=1, of=2)
    policy, other = state.hand[at], state.hand[1 - at]
    step.set(hand=(), discard=(*state.discard, other))
    step.decided("enact", enacted=policy, by="government")
    if not _place(step, policy, "government"):
        return
    power = powers(len(state.roles))[step.state.fascist - 1] if policy == "fascist" else None
    if power:
        _grant(step, power)
    else:
        next_election(step)


def no_veto(state: State) -> Refused | None:
    """Return why the chancellor cannot ask for a veto, or None if it can."""
    if state.fascist < VETO_UNLOCKED:
        return Refused("veto_locked", needed=VETO_UNLOCKED, have=state.fascist)
    return Refused("veto_refused") if state.veto_refused else None


def disabled_moves(state: State, seat: Seat) -> Mapping[str, Refused]:
    """Return the veto as a disabled move if it was refused.

    Before vetoes are unlocked, there is no button.
    """
    if state.phase != "chancellor_enact" or seat != state.chancellor:
        return {}
    if state.fascist < VETO_UNLOCKED:
        return {}
    refused = no_veto(state)
    return {"VetoRequest": refused} if refused else {}


def request_veto(step: Step, chancellor: Seat) -> None:
    if refused := no_veto(step.state):
        raise refused
    step.ask("veto_confirm")
    step.note(veto="requested")
    step.tell_all(events.VetoRequested(chancellor))


def answer_veto(step: Step, president: Seat, accept: bool) -> None:
    step.tell_all(events.VetoAnswered(president, accept))
    step.decided("veto", veto="accepted" if accept else "refused")
    if not accept:
        step.ask("chancellor_enact", veto_refused=True)
        return
    step.set(hand=(), discard=step.state.discard + step.state.hand)
    _reshuffle(step)
    _inactive(step)


def _inactive(step: Step) -> None:
    """Record a government that enacted nothing. The third in a row causes chaos."""
    tracker = step.state.tracker + 1
    step.set(tracker=tracker)
    step.tell_all(events.TrackerMoved(tracker))
    if tracker < CHAOS:
        next_election(step)
        return
    policy, *deck = step.state.deck
    step.set(deck=tuple(deck), peeked_by=None, last_elected=None)
    step.begin_session(
        Session(
            president=None,
            chancellor=None,
            special=False,
            votes=None,
            passed=False,
            enacted=policy,
            by="chaos",
        )
    )
    if _place(step, policy, "chaos"):
        next_election(step)


def _place(step: Step, policy: Party, by: Source) -> bool:
    """Enact a policy. Return whether the match goes on."""
    state = step.state
    liberal = state.liberal + (policy == "liberal")
    fascist = state.fascist + (policy == "fascist")
    step.set(liberal=liberal, fascist=fascist, tracker=0)
    step.tell_all(events.PolicyEnacted(policy, by, liberal, fascist))
    if state.tracker:
        step.tell_all(events.TrackerMoved(0))
    if liberal == LIBERAL_GOAL or fascist == FASCIST_GOAL:
        end(step, "liberal_policies" if liberal == LIBERAL_GOAL else "fascist_policies")
        return False
    _reshuffle(step)
    return True


def _reshuffle(step: Step) -> None:
    """Reshuffle the discarded tiles into the deck if fewer than three tiles are left.

    This happens before any power or chaos, so that enough tiles are left.
    """
    state = step.state
    if len(state.deck) < DRAWN:
        deck = step.luck.shuffled("reshuffle", state.deck + state.discard)
        step.set(deck=deck, discard=(), peeked_by=None)
        step.tell_all(events.DeckReshuffled(len(deck)))


def _grant(step: Step, power: Power) -> None:
    president = step.state.candidate
    step.note(power=power)
    step.ask(_PHASES[power])
    step.tell_all(events.PowerGranted(president, power, targets(step.state)))
    if power == "peek":
        top = step.state.deck[:DRAWN]
        step.set(peeked_by=president)
        step.note(result=top)
        step.tell_only(president, events.DeckPeeked(top))


def investigate(step: Step, president: Seat, player: Seat) -> None:
    _check_target(step, player)
    party = party_of(step.state.roles[player])
    step.ask("power_ack", investigated=step.state.investigated.but(player, president))
    step.decided("target", target=player, result=party)
    step.tell_all(events.PlayerInvestigated(president, player))
    step.tell_only(president, events.PartyShown(player, party))


def confirm(step: Step, president: Seat) -> None:
    step.tell_all(events.ExecutiveConfirmed(president))
    next_election(step)


def call_special(step: Step, president: Seat, player: Seat) -> None:
    _check_target(step, player)
    step.decided("target", target=player)
    step.tell_all(events.SpecialElectionCalled(president, player))
    call_election(step, player, special=True)


def execute(step: Step, president: Seat, player: Seat) -> None:
    _check_target(step, player)
    alive = tuple(is_alive and at != player for at, is_alive in enumerate(step.state.alive))
    step.set(alive=alive)
    step.decided("target", target=player)
    step.tell_all(events.PlayerExecuted(president, player))
    if step.state.roles[player] == "hitler":
        end(step, "hitler_executed")
    elif not abort_if_deserted(step):
        next_election(step)


def _check_target(step: Step, player: Seat) -> None:
    allowed = targets(step.state)
    if player not in allowed:
        raise Refused("bad_target", targets=allowed)


def abort_if_deserted(step: Step) -> bool:
    """If fewer than two living seats are off autopilot, abort the match.

    Return whether it was aborted.
    """
    deserted = len(self_acting(step.state)) < 2
    if deserted:
        end(step, "aborted")
    return deserted


def end(step: Step, reason: Reason) -> None:
    state = step.state
    # Ballots that have not been counted stay secret.
    votes = BySeat[bool]() if state.phase == "vote" and reason == "aborted" else state.votes
    step.ask("over", reason=reason, votes=votes)
    roles = BySeat([(Seat(at), role) for at, role in enumerate(state.roles)])
    step.tell_all(events.RolesRevealed(side_of(reason), roles))
