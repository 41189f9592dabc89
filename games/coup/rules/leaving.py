"""Leaving a running match of Iron Throne (docs/rules/coup.md §8)."""

from __future__ import annotations

from games.contract.core import Change
from games.contract.data import Seat
from games.contract.luck import Luck
from games.coup.rules import flow as going
from games.coup.rules.flow import Flow, run
from games.coup.rules.offering import WINDOWS
from games.coup.rules.play import close
from games.coup.rules.state import Card, CoupState, InfluenceLost, Todo, alive, influence


def leave(state: CoupState, seat: Seat, luck: Luck) -> Change[CoupState]:
    """Turn up all cards of a seat, return its coins to the bank and eliminate it."""
    if state.phase == "over" or not influence(state, seat):
        return Change(state, ())
    flow = Flow(state, luck)
    _return_pool(flow, seat)
    hand = state.hands[seat]
    hands = (*state.hands[:seat], tuple(Card(c.role, True) for c in hand), *state.hands[seat + 1 :])
    flow.set(hands=hands)
    for at, card in enumerate(hand):
        if not card.face_up:
            flow.tell(InfluenceLost(seat, card.role, at))
    going.put_out(flow, seat)
    if flow.state.phase == "over":
        return flow.change()
    return _turn_holder_left(flow) if seat == state.at else _other_left(flow, seat)


def _turn_holder_left(flow: Flow) -> Change[CoupState]:
    """Drop the rest of the turn, but let another player finish choosing a card to lose."""
    state = flow.state
    pending = any(todo.what in ("succeed", "effect") for todo in state.queue)
    if pending or state.phase in (*WINDOWS, "exchange"):
        going.stopped(flow, "left")
    flow.set(queue=(Todo("end"),))
    if state.phase == "lose_influence" and state.loser != state.at:
        return flow.change()
    return run(flow)


def _other_left(flow: Flow, seat: Seat) -> Change[CoupState]:
    state = flow.state
    if state.phase == "lose_influence" and state.loser == seat:
        flow.set(loser=None)
        return run(flow)
    if state.phase == "block_window" and state.target == seat:
        going.stopped(flow, "target_out")
        flow.set(queue=(Todo("end"),))
        return run(flow)
    if state.phase == "block_challenge_window" and state.blocker == seat:
        flow.set(queue=(Todo("effect"), Todo("end")))
        return run(flow)
    if state.phase in WINDOWS and not state.waiting:
        return close(flow)
    return flow.change()


def _return_pool(flow: Flow, seat: Seat) -> None:
    """Shuffle the two cards drawn for an aborted exchange back into the deck."""
    state = flow.state
    broken_off = seat == state.at or len(alive(state)) == 2
    if state.phase == "exchange" and broken_off:
        drawn = state.pool[influence(state, state.at) :]
        flow.set(deck=flow.luck.shuffled("exchange", (*state.deck, *drawn)), pool=())
