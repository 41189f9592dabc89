"""Automatic steps of Iron Throne between two questions: proofs, effects, losses, turns.

Section numbers refer to docs/rules/coup.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from games.contract.core import Change, Event, Told, asked, everyone, only
from games.contract.data import BySeat, Seat
from games.contract.luck import Luck
from games.coup.rules.state import (
    ACTIONS,
    ActionDone,
    ActionStopped,
    BluffCaught,
    Card,
    CostPaid,
    CoupState,
    InfluenceLost,
    PlayerEliminated,
    PoolDrawn,
    Role,
    RoleShown,
    Todo,
    after,
    alive,
    claim_of,
    influence,
)
from games.coup.rules.state import CardDrawn as Drawn


@dataclass
class Flow:
    """A state in progress, with the events so far. It exists only within one act."""

    state: CoupState
    luck: Luck
    told: list[Told] = field(default_factory=list)

    def set(self, **changes: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)

    def ask(self, **changes: Any) -> None:
        self.state = asked(self.state, **changes)

    def tell(self, event: Event) -> None:
        self.told.append(everyone(event))

    def change(self) -> Change[CoupState]:
        return Change(self.state, tuple(self.told))


def run(flow: Flow) -> Change[CoupState]:
    """Process the queue until somebody must be asked or the match is over."""
    while flow.state.queue and flow.state.phase != "over":
        todo, *rest = flow.state.queue
        flow.set(queue=tuple(rest))
        match todo.what:
            case "lose":
                assert todo.seat is not None
                if lose(flow, todo.seat):
                    break
            case "succeed":
                if succeed(flow):
                    break
            case "effect":
                if effect(flow):
                    break
            case "end":
                end_turn(flow)
                break
    return flow.change()


def challenged(flow: Flow) -> None:
    """Resolve a challenged declaration (§4.1)."""
    state, claim = flow.state, claim_of(flow.state)
    assert claim is not None
    assert state.action_challenger is not None
    if prove(flow, state.at, claim):
        queue = (Todo("lose", state.action_challenger), Todo("succeed"))
        flow.set(turn_stage=3, queue=queue)
    else:
        flow.tell(BluffCaught(state.at, claim))
        stopped(flow, "challenge")
        flow.set(turn_stage=4, queue=(Todo("lose", state.at), Todo("end")))


def block_challenged(flow: Flow) -> None:
    """Resolve a challenged block (§4.3). If it was a bluff, the effect comes before the loss."""
    state = flow.state
    assert state.blocker is not None
    assert state.block is not None
    assert state.block_challenger is not None
    if prove(flow, state.blocker, state.block):
        stopped(flow, "block")
        queue = (Todo("lose", state.block_challenger), Todo("end"))
        flow.set(turn_stage=10, queue=queue)
    else:
        flow.tell(BluffCaught(state.blocker, state.block))
        lost = Todo("lose", state.blocker)
        flow.set(turn_stage=11, queue=(Todo("effect"), lost, Todo("end")))


def prove(flow: Flow, seat: Seat, role: Role) -> bool:
    """If the seat holds the role, show it and replace the card from the deck.

    Return False if it does not hold the role.
    """
    hand = flow.state.hands[seat]
    at = next((i for i, c in enumerate(hand) if c.role == role and not c.face_up), None)
    if at is None:
        return False
    deck = flow.luck.shuffled("proof", (*flow.state.deck, role))
    flow.set(deck=deck[1:])
    down = [(i, card) for i, card in enumerate(hand) if not card.face_up]
    hold(flow, seat, [deck[0] if i == at else card.role for i, card in down])
    flow.tell(RoleShown(seat, role))
    flow.told.append(only(seat, Drawn(deck[0])))
    return True


def hold(flow: Flow, seat: Seat, roles: Sequence[Role]) -> None:
    """Set a seat's face-down cards in random order.

    Places are public and must not reveal which card came from the deck.
    """
    fresh = iter(flow.luck.shuffled("hand", roles))
    hand = tuple(c if c.face_up else Card(next(fresh)) for c in flow.state.hands[seat])
    flow.set(hands=_put(flow.state.hands, seat, hand))


def succeed(flow: Flow) -> bool:
    """Pay for a successful declaration (§4.2). Return True if a block window opens."""
    state = flow.state
    assert state.action is not None
    action = ACTIONS[state.action]
    flow.set(turn_stage=5)
    if action.cost:
        coins = state.coins[state.at] - action.cost
        flow.set(coins=_put(state.coins, state.at, coins))
        flow.tell(CostPaid(state.at, action.cost, coins))
    if state.target is not None and state.target not in alive(state):
        stopped(flow, "target_out")
        flow.set(queue=(Todo("end"),))
        return False
    if action.blocked_by:
        others = tuple(seat for seat in after(state, state.at) if seat != state.at)
        waiting = (state.target,) if state.target is not None else others
        flow.ask(phase="block_window", waiting=waiting, answers=(), queue=())
        return True
    flow.set(turn_stage=6, queue=(Todo("effect"), Todo("end")))
    return False


def effect(flow: Flow) -> bool:
    """Apply the action. Return True if the turn holder must choose cards."""
    state = flow.state
    me, target, action = state.at, state.target, state.action
    assert action is not None
    gain = {"Income": 1, "ForeignAid": 2, "Tax": 3}.get(action, 0)
    if target is not None and target not in alive(state):
        stopped(flow, "target_out")
        return False
    if action == "Exchange":
        own = tuple(card.role for card in state.hands[me] if not card.face_up)
        pool = (*own, *state.deck[:2])
        flow.told.append(only(me, PoolDrawn(pool)))
        flow.ask(phase="exchange", pool=pool, deck=state.deck[2:], queue=())
        return True
    coins = state.coins
    if action == "Steal":
        assert target is not None
        gain = min(2, coins[target])
        coins = _put(coins, target, coins[target] - gain)
    coins = _put(coins, me, coins[me] + gain)
    flow.set(coins=coins)
    if action in ("Coup", "Assassinate"):
        flow.set(queue=(Todo("lose", target), *flow.state.queue))
    flow.tell(ActionDone(me, action, target, _changed(state.coins, coins)))
    return False


def lose(flow: Flow, seat: Seat) -> bool:
    """Make a seat lose an influence. Return True if it must choose which."""
    down = [at for at, card in enumerate(flow.state.hands[seat]) if not card.face_up]
    if not down:
        return False
    if len(down) > 1:
        flow.ask(phase="lose_influence", loser=seat)
        return True
    turn_up(flow, seat, down[0])
    return False


def turn_up(flow: Flow, seat: Seat, at: int) -> None:
    """Turn a card face up. A seat without influence is out, and its coins go to the bank."""
    hand = flow.state.hands[seat]
    card = hand[at]
    turned = tuple(Card(c.role, True) if i == at else c for i, c in enumerate(hand))
    flow.set(hands=_put(flow.state.hands, seat, turned), loser=None)
    flow.tell(InfluenceLost(seat, card.role, at))
    if not influence(flow.state, seat):
        put_out(flow, seat)


def put_out(flow: Flow, seat: Seat) -> None:
    """Eliminate a seat. If only one seat is left, it wins and the queue is dropped."""
    state = flow.state
    flow.set(
        gone=(*state.gone, seat),
        coins=_put(state.coins, seat, 0),
        waiting=tuple(other for other in state.waiting if other != seat),
        answers=tuple(answer for answer in state.answers if answer.seat != seat),
    )
    flow.tell(PlayerEliminated(seat))
    if len(alive(flow.state)) == 1:
        over(flow, "last_alive")


def end_turn(flow: Flow) -> None:
    """Pass the turn to the next living seat, unless the turn limit is reached (§4.5)."""
    played = flow.state.turns_played + 1
    flow.set(turns_played=played)
    if played >= flow.state.options.max_turns:
        over(flow, "turn_limit")
        return
    flow.ask(phase="action", at=after(flow.state, flow.state.at)[0], **NOTHING)


def over(flow: Flow, reason: str) -> None:
    flow.ask(phase="over", reason=reason, **NOTHING)


def stopped(flow: Flow, by: Literal["challenge", "block", "target_out", "left"]) -> None:
    state = flow.state
    assert state.action is not None
    flow.tell(ActionStopped(state.at, state.action, by))


NOTHING: dict[str, Any] = {
    "turn_stage": 0,
    "action": None,
    "target": None,
    "action_challenger": None,
    "block": None,
    "blocker": None,
    "block_challenger": None,
    "waiting": (),
    "answers": (),
    "queue": (),
    "loser": None,
    "pool": (),
}
"""A turn before any declaration."""


def _changed(before: Sequence[int], now: Sequence[int]) -> BySeat[int]:
    both = enumerate(zip(before, now, strict=True))
    return BySeat({Seat(at): coins for at, (was, coins) in both if coins != was})


def _put(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
