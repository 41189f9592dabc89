"""The interface of Secret Hitler to the engine: questions and legal moves."""

from typing import assert_never

from games.contract.core import (
    Change,
    Ignored,
    Move,
    Offer,
    OneOf,
    Outcome,
    Some,
    Turn,
    all_seats,
    offer,
)
from games.contract.data import Seat
from games.contract.luck import Luck
from games.secret_hitler.rules import government
from games.secret_hitler.rules.board import (
    VETO_UNLOCKED,
    eligible,
    enacted_before_the_start,
    fresh_deck,
    is_alive,
    known_to,
    next_alive,
    party_of,
    role_cards,
    side_of,
    still_talking,
    still_to_vote,
    targets,
)
from games.secret_hitler.rules.events import AutopilotSet, RoleGiven
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ComeBack,
    ExecutePlayer,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    Moves,
    NextPresident,
    Options,
    Phase,
    PresidentPolicies,
    Ready,
    State,
    VetoConfirm,
    VetoRequest,
    Vote,
)
from games.secret_hitler.rules.step import Step

ANSWERS: dict[Phase, tuple[type[Move], ...]] = {
    "nominate": (ChancellorNomination,),
    "discuss": (Ready,),
    "vote": (Vote,),
    "president_discard": (PresidentPolicies,),
    "chancellor_enact": (ChancellorPolicy, VetoRequest),
    "veto_confirm": (VetoConfirm,),
    "power_investigate": (InvestigateAffiliation,),
    "power_special": (NextPresident,),
    "power_execute": (ExecutePlayer,),
    "power_ack": (ExecutiveConfirmation,),
    "over": (),
}
SECONDS: dict[Phase, float | None] = {
    "nominate": 90,
    "discuss": None,
    "vote": 60,
    "president_discard": 60,
    "chancellor_enact": 60,
    "veto_confirm": 30,
    "power_investigate": 60,
    "power_special": 60,
    "power_execute": 60,
    "power_ack": 30,
    "over": None,
}


def setup(n: int, options: Options, luck: Luck) -> Change[State]:
    roles = luck.shuffled("roles", role_cards(n))
    deck = luck.shuffled("policies", fresh_deck(n, options))
    first = Seat(luck.draw("first", n))
    state = State(
        clock=0,
        prompts=(0,) * n,
        options=options,
        phase="nominate",
        roles=roles,
        alive=(True,) * n,
        deck=deck,
        rotation=first,
        candidate=first,
        fascist=enacted_before_the_start(n, options),
    )
    step = Step(state, luck)
    for seat in all_seats(n):
        role = roles[seat]
        step.tell_only(seat, RoleGiven(role, party_of(role), known_to(state, seat)))
    government.call_election(step, first, special=False)
    return step.change()


def check(options: Options, n: int | None) -> None:
    """Accept all options, because each combination works with every number of seats."""


def awaited(state: State) -> tuple[Seat, ...]:
    match state.phase:
        case "over" | "discuss":
            return ()
        case "vote":
            return still_to_vote(state)
        case "chancellor_enact":
            return () if state.chancellor is None else (state.chancellor,)
        case _:
            return (state.candidate,)


def idles(state: State) -> tuple[Seat, ...]:
    """Return the seats that count as idle: everybody who is asked.

    Only in a vote are several seats asked.
    """
    return awaited(state)


def out(state: State) -> tuple[Seat, ...]:
    return tuple(Seat(at) for at, alive in enumerate(state.alive) if not alive)


def turn(state: State) -> Turn:
    over = state.phase == "over"
    return Turn(
        seat=None if over else state.candidate,
        count=state.turn_count,
        next=None if over else next_alive(state, state.rotation),
        order=all_seats(len(state.alive)),
    )


def patience(state: State) -> float | None:
    return state.options.discussion if is_discussed(state) else SECONDS[state.phase]


def is_discussed(state: State) -> bool:
    """Return whether discussion time is running, in which each seat may declare itself ready."""
    return state.phase == "discuss"


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if _may_come_back(state, seat):
        return (offer(ComeBack),)
    if is_discussed(state):
        return (offer(Ready),) if seat in still_talking(state) else ()
    if seat not in awaited(state):
        return ()
    match state.phase:
        case "nominate":
            return (offer(ChancellorNomination, player=OneOf(eligible(state))),)
        case "vote":
            return (offer(Vote, ja=OneOf((True, False))),)
        case "president_discard":
            return (offer(PresidentPolicies, keep=Some(some=(0, 1, 2), least=2, most=2)),)
        case "chancellor_enact":
            veto = state.fascist >= VETO_UNLOCKED and not state.veto_refused
            enact = offer(ChancellorPolicy, enact=OneOf((0, 1)))
            return (enact, offer(VetoRequest)) if veto else (enact,)
        case "veto_confirm":
            return (offer(VetoConfirm, accept=OneOf((True, False))),)
        case "power_investigate":
            return (offer(InvestigateAffiliation, player=OneOf(targets(state))),)
        case "power_special":
            return (offer(NextPresident, player=OneOf(targets(state))),)
        case "power_execute":
            return (offer(ExecutePlayer, player=OneOf(targets(state))),)
        case "power_ack":
            return (offer(ExecutiveConfirmation),)
        case "discuss" | "over":
            return ()
        case _:
            assert_never(state.phase)


def apply(state: State, seat: Seat, move: Moves, luck: Luck) -> Change[State]:
    if isinstance(move, ComeBack):
        asked = _may_come_back(state, seat)
    else:
        among = still_talking(state) if is_discussed(state) else awaited(state)
        asked = seat in among and isinstance(move, ANSWERS[state.phase])
    if not asked:
        raise Ignored
    step = Step(state, luck)
    _perform(step, seat, move)
    _answer_for_the_absent(step)
    return step.change()


def _perform(step: Step, seat: Seat, move: Moves) -> None:
    match move:
        case ChancellorNomination(player):
            government.nominate(step, player)
        case Ready():
            government.say_ready(step, seat)
        case Vote(ja):
            government.vote(step, seat, ja)
        case PresidentPolicies(keep):
            government.discard(step, keep)
        case ChancellorPolicy(enact):
            government.enact(step, enact)
        case VetoRequest():
            government.request_veto(step, seat)
        case VetoConfirm(accept):
            government.answer_veto(step, seat, accept)
        case InvestigateAffiliation(player):
            government.investigate(step, seat, player)
        case NextPresident(player):
            government.call_special(step, seat, player)
        case ExecutePlayer(player):
            government.execute(step, seat, player)
        case ExecutiveConfirmation():
            government.confirm(step, seat)
        case ComeBack():
            absent = tuple(at for at in step.state.autopilot if at != seat)
            step.answer(seat, autopilot=absent)
            step.tell_all(AutopilotSet(seat, False))
        case _:
            assert_never(move)


def lapse(state: State, luck: Luck) -> Change[State]:
    step = Step(state, luck)
    if is_discussed(state):
        government.open_vote(step)
    for seat in awaited(state):
        with step.by_itself("clock"):
            _perform(step, seat, _default(step.state, luck))
    _answer_for_the_absent(step)
    return step.change()


def leave(state: State, seat: Seat, luck: Luck) -> Change[State]:
    """Put a leaver's seat on autopilot, or abort the match if the options say so.

    The seat is not eliminated, because that could reveal its role.
    """
    step = Step(state, luck)
    if state.phase == "over" or not is_alive(state, seat) or seat in state.autopilot:
        return step.change()
    if state.options.on_leave == "abort":
        government.end(step, "aborted")
        return step.change()
    step.answer(seat, autopilot=tuple(sorted((*state.autopilot, seat))))
    step.tell_all(AutopilotSet(seat, True))
    if not government.abort_if_deserted(step):
        _answer_for_the_absent(step)
    return step.change()


def _answer_for_the_absent(step: Step) -> None:
    """Apply the defaults of seats on autopilot at once, so that the match never waits for them.

    Absent seats do not vote. If nobody else is left to vote, the ballots are counted.
    """
    while True:
        if is_discussed(step.state) and not still_talking(step.state):
            government.open_vote(step)
        if step.state.phase == "vote" and not awaited(step.state):
            government.count(step)
        absent = [seat for seat in awaited(step.state) if seat in step.state.autopilot]
        if not absent:
            return
        with step.by_itself("autopilot"):
            _perform(step, absent[0], _default(step.state, step.luck))


def _default(state: State, luck: Luck) -> Moves:
    """Return the move that replaces a missing answer.

    Silence in a vote counts as nein, so that the game ends.
    """
    match state.phase:
        case "nominate":
            return ChancellorNomination(luck.pick("lapse.nominate", eligible(state)))
        case "vote":
            return Vote(False)
        case "president_discard":
            thrown = luck.draw("lapse.discard", 3)
            return PresidentPolicies(tuple(at for at in range(3) if at != thrown))
        case "chancellor_enact":
            return ChancellorPolicy(luck.draw("lapse.enact", 2))
        case "veto_confirm":
            return VetoConfirm(False)
        case "power_investigate":
            return InvestigateAffiliation(luck.pick("lapse.target", targets(state)))
        case "power_special":
            return NextPresident(luck.pick("lapse.target", targets(state)))
        case "power_execute":
            return ExecutePlayer(luck.pick("lapse.target", targets(state)))
        case "power_ack":
            return ExecutiveConfirmation()
        case "discuss" | "over":
            raise Ignored
        case _:
            assert_never(state.phase)


def outcome(state: State) -> Outcome | None:
    if state.reason is None:
        return None
    seats = all_seats(len(state.roles))
    side = side_of(state.reason)
    if side is None:
        return Outcome((), (seats,), None, state.reason)
    winners = tuple(seat for seat in seats if party_of(state.roles[seat]) == side)
    others = tuple(seat for seat in seats if seat not in winners)
    return Outcome(winners, (winners, others), None, state.reason)


def _may_come_back(state: State, seat: Seat) -> bool:
    return state.phase != "over" and seat in state.autopilot and is_alive(state, seat)
