"""The moves of Iron Throne (docs/rules/coup.md §4 and §5)."""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from games.contract.core import Change, Ignored, Refused, answered, by_the_clock
from games.contract.data import Seat
from games.contract.luck import Luck
from games.coup.rules import flow as going
from games.coup.rules.flow import Flow, run
from games.coup.rules.offering import WINDOWS, awaited, must_coup
from games.coup.rules.state import (
    ACTIONS,
    COPIES,
    ROLES,
    ActionDeclared,
    ActionName,
    Answer,
    Answered,
    Assassinate,
    Block,
    Blocked,
    Card,
    Challenge,
    Challenged,
    Coup,
    CoupOptions,
    CoupState,
    Declared,
    Exchange,
    Exchanged,
    ExchangeKeep,
    ForeignAid,
    Income,
    LoseInfluence,
    Moves,
    Pass,
    Passed,
    Steal,
    Tax,
    Todo,
    after,
    alive,
    claim_of,
    influence,
)


def setup(n: int, options: CoupOptions, luck: Luck) -> Change[CoupState]:
    """Deal two cards to each seat from the shuffled deck, and draw the first player."""
    deck = luck.shuffled("deck", [role for role in ROLES for _ in range(COPIES)])
    first = Seat(luck.draw("first", n))
    coins = [options.start_coins] * n
    if n == 2:
        coins[first] = options.two_player_first_coins
    state = CoupState(
        clock=0,
        prompts=(0,) * n,
        options=options,
        phase="action",
        at=first,
        hands=tuple((Card(deck[2 * at]), Card(deck[2 * at + 1])) for at in range(n)),
        coins=tuple(coins),
        deck=deck[2 * n :],
    )
    return Change(state, ())


def apply(state: CoupState, seat: Seat, move: Moves, luck: Luck) -> Change[CoupState]:
    """Apply a move. Raise Ignored, or Refused(`must_coup`, `not_enough_coins`, `bad_role`, …)."""
    if seat not in awaited(state):
        raise Ignored
    flow = Flow(state, luck)
    match move:
        case Challenge() if state.phase in ("challenge_window", "block_challenge_window"):
            return _answer(flow, Answer(seat, "challenge"))
        case Block(role) if state.phase == "block_window":
            return _answer(flow, _block(state, seat, role))
        case Pass() if state.phase in WINDOWS:
            return _answer(flow, Answer(seat, "pass"))
        case LoseInfluence(card) if state.phase == "lose_influence":
            return _lose(flow, seat, card)
        case ExchangeKeep(keep) if state.phase == "exchange":
            return _keep(flow, seat, keep)
        case Challenge() | Block() | Pass() | LoseInfluence() | ExchangeKeep():
            raise Ignored
        case Income() | ForeignAid() | Coup() | Tax() | Assassinate() | Exchange() | Steal():
            if state.phase != "action":
                raise Ignored
            return _declare(flow, move)
    assert_never(move)


def lapse(state: CoupState, luck: Luck) -> Change[CoupState]:
    """Apply the default: Income or a mandatory Coup, a pass, the first card, or the old cards."""
    flow = Flow(state, luck)
    match state.phase:
        case "action":
            due = Coup(after(state, state.at)[0]) if must_coup(state) else Income()
            return by_the_clock(_declare(flow, due))
        case "lose_influence":
            assert state.loser is not None
            hand = state.hands[state.loser]
            first = next(at for at, card in enumerate(hand) if not card.face_up)
            return by_the_clock(_lose(flow, state.loser, first))
        case "exchange":
            kept = tuple(range(influence(state, state.at)))
            return by_the_clock(_keep(flow, state.at, kept))
        case "challenge_window" | "block_window" | "block_challenge_window":
            flow.set(waiting=())
            return close(flow)
        case "over":
            raise Ignored
    assert_never(state.phase)


def close(flow: Flow) -> Change[CoupState]:
    """Close a window after all answers. In sealed mode, the first answer in turn order counts."""
    state = flow.state
    said = {a.seat: a for a in state.answers if a.what != "pass"}
    since = state.at if state.blocker is None else state.blocker
    first = next((said[seat] for seat in after(state, since) if seat in said), None)
    if first is not None:
        return _take(flow, first)
    match state.phase:
        case "challenge_window":
            flow.set(queue=(Todo("succeed"),))
        case "block_window":
            flow.set(turn_stage=6, queue=(Todo("effect"), Todo("end")))
        case _:
            going.stopped(flow, "block")
            flow.set(turn_stage=8, queue=(Todo("end"),))
    return run(flow)


def _declare(flow: Flow, move: Declared) -> Change[CoupState]:
    state = flow.state
    name: ActionName = type(move).__name__  # type: ignore[assignment]
    action, target = ACTIONS[name], getattr(move, "target", None)
    if must_coup(state) and name != "Coup":
        raise Refused("must_coup", coins=state.coins[state.at])
    if state.coins[state.at] < action.cost:
        raise Refused("not_enough_coins", needed=action.cost, have=state.coins[state.at])
    if action.aimed and (target not in alive(state) or target == state.at):
        raise Refused("bad_target")
    flow.tell(ActionDeclared(state.at, name, target, action.claim))
    flow.set(action=name, target=target, turn_stage=1)
    if action.claim is None:
        flow.set(queue=(Todo("succeed"),))
        flow.state = answered(flow.state, state.at)
        return run(flow)
    waiting = tuple(seat for seat in after(state, state.at) if seat != state.at)
    flow.ask(phase="challenge_window", waiting=waiting, answers=())
    return flow.change()


def _block(state: CoupState, seat: Seat, role: str) -> Answer:
    assert state.action is not None
    found = next((r for r in ACTIONS[state.action].blocked_by if r == role), None)
    if found is None:
        raise Refused("bad_role", role=role)
    return Answer(seat, "block", found)


def _answer(flow: Flow, answer: Answer) -> Change[CoupState]:
    """Record an answer in a window.

    Sealed windows collect all answers. Other windows close at a challenge or block.
    """
    state, seat = flow.state, answer.seat
    waiting = tuple(other for other in state.waiting if other != seat)
    sealed = state.options.window_mode == "sealed"
    changes: dict[str, Any] = {"waiting": waiting}
    if sealed:
        flow.tell(Answered(seat))
        changes["answers"] = (*state.answers, answer)
    elif answer.what == "pass":
        flow.tell(Passed(seat))
    flow.state = answered(msgspec.structs.replace(state, **changes), seat)
    if not sealed and answer.what != "pass":
        return _take(flow, answer)
    return close(flow) if not waiting else flow.change()


def _take(flow: Flow, answer: Answer) -> Change[CoupState]:
    """Carry out the challenge or block that decides the window."""
    state, seat = flow.state, answer.seat
    flow.set(waiting=(), answers=())
    if answer.what == "block":
        assert answer.role is not None
        flow.tell(Blocked(seat, answer.role))
        waiting = tuple(other for other in after(state, seat) if other != seat)
        flow.ask(
            phase="block_challenge_window",
            turn_stage=7,
            block=answer.role,
            blocker=seat,
            waiting=waiting,
        )
        return flow.change()
    if state.phase == "challenge_window":
        claim = claim_of(state)
        assert claim is not None
        flow.tell(Challenged(seat, state.at, claim))
        flow.set(action_challenger=seat)
        going.challenged(flow)
    else:
        assert state.blocker is not None
        assert state.block is not None
        flow.tell(Challenged(seat, state.blocker, state.block))
        flow.set(block_challenger=seat)
        going.block_challenged(flow)
    return run(flow)


def _lose(flow: Flow, seat: Seat, card: int) -> Change[CoupState]:
    hand = flow.state.hands[seat]
    if not 0 <= card < len(hand) or hand[card].face_up:
        raise Refused("bad_card", card=card)
    flow.state = answered(flow.state, seat)
    going.turn_up(flow, seat, card)
    return run(flow)


def _keep(flow: Flow, seat: Seat, keep: tuple[int, ...]) -> Change[CoupState]:
    state = flow.state
    needed = influence(state, seat)
    if len(keep) != needed:
        raise Refused("wrong_count", needed=needed, have=len(keep))
    if len(set(keep)) != len(keep) or not all(0 <= at < len(state.pool) for at in keep):
        raise Refused("bad_card")
    kept = [state.pool[at] for at in sorted(keep)]
    back = [role for at, role in enumerate(state.pool) if at not in keep]
    deck = flow.luck.shuffled("exchange", (*state.deck, *back))
    flow.state = answered(flow.state, seat)
    flow.set(deck=deck, pool=(), queue=(Todo("end"),))
    going.hold(flow, seat, kept)
    flow.tell(Exchanged(seat))
    return run(flow)
