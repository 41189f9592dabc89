"""Which seats are asked in Iron Throne, the possible answers, and the deadlines."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.core import Move, Offer, OneOf, Refused, Some, offer
from games.contract.data import Seat
from games.coup.rules.state import (
    ACTIONS,
    ActionName,
    Assassinate,
    Block,
    Challenge,
    Coup,
    CoupState,
    CoupView,
    Exchange,
    ExchangeKeep,
    ForeignAid,
    Income,
    LoseInfluence,
    Pass,
    Steal,
    Tax,
    alive,
    influence,
)

WINDOWS = ("challenge_window", "block_window", "block_challenge_window")
SECONDS = {"action": 60.0, "lose_influence": 30.0, "exchange": 45.0}
WINDOW = 20.0

MOVES: Mapping[ActionName, type[Move]] = {
    "Income": Income,
    "ForeignAid": ForeignAid,
    "Tax": Tax,
    "Steal": Steal,
    "Exchange": Exchange,
    "Assassinate": Assassinate,
    "Coup": Coup,
}


def awaited(state: CoupState) -> tuple[Seat, ...]:
    match state.phase:
        case "over":
            return ()
        case "lose_influence":
            return (state.loser,) if state.loser is not None else ()
        case "action" | "exchange":
            return (state.at,)
        case _:
            return state.waiting


def idles(state: CoupState) -> tuple[Seat, ...]:
    """Return the seats that count as idle.

    In a challenge or block window nobody is idle, because silence means passing.
    """
    return () if state.phase in WINDOWS else awaited(state)


def patience(state: CoupState) -> float | None:
    return None if state.phase == "over" else SECONDS.get(state.phase, WINDOW)


def offers(state: CoupState, seat: Seat) -> tuple[Offer, ...]:
    """Return the offers of `seat`. They never depend on a card that the seat cannot see."""
    if seat not in awaited(state):
        return ()
    match state.phase:
        case "action":
            return tuple(o for name in MOVES if (o := _action(state, seat, name)))
        case "block_window":
            assert state.action is not None
            return (offer(Block, role=OneOf(ACTIONS[state.action].blocked_by)), offer(Pass))
        case "lose_influence":
            hand = state.hands[seat]
            down = tuple(at for at, card in enumerate(hand) if not card.face_up)
            return (offer(LoseInfluence, card=OneOf(down)),)
        case "exchange":
            keep = influence(state, seat)
            pool = tuple(range(len(state.pool)))
            return (offer(ExchangeKeep, keep=Some(some=pool, least=keep, most=keep)),)
        case _:
            return (offer(Challenge), offer(Pass))


def auto_pass(view: CoupView, seat: Seat) -> str | None:
    """Return `Pass` if this seat may pass a challenge or block window automatically, else None.

    A seat that is the target never passes automatically.
    """
    aimed = view.actor if view.phase == "block_challenge_window" else view.target
    if view.phase not in WINDOWS or seat not in view.waiting or aimed == seat:
        return None
    return Pass.__name__


def disabled_moves(state: CoupState, seat: Seat) -> Mapping[str, Refused]:
    """Return the moves that cost too much, or all moves except `Coup` if it is mandatory."""
    if state.phase != "action" or seat != state.at:
        return {}
    have = state.coins[seat]
    if must_coup(state):
        return {name: Refused("must_coup", coins=have) for name in MOVES if name != "Coup"}
    dear = ((name, ACTIONS[name].cost) for name in MOVES if ACTIONS[name].cost > have)
    return {name: Refused("not_enough_coins", needed=cost, have=have) for name, cost in dear}


def must_coup(state: CoupState) -> bool:
    return state.coins[state.at] >= state.options.mandatory_coup_at


def _action(state: CoupState, seat: Seat, name: ActionName) -> Offer | None:
    action = ACTIONS[name]
    if state.coins[seat] < action.cost or (must_coup(state) and name != "Coup"):
        return None
    if not action.aimed:
        return offer(MOVES[name])
    others = tuple(other for other in alive(state) if other != seat)
    return offer(MOVES[name], target=OneOf(others))
