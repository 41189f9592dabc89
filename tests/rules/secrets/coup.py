"""What is hidden in Iron Throne: cards face down, the deck, an exchange, sealed answers."""

from __future__ import annotations

import msgspec

from games.rules.coup.state import COPIES, ROLES, Card, CoupOptions, CoupState, influence
from games.rules.data import Seat, Viewer
from games.rules.luck import Luck

OPTIONS = (
    CoupOptions(max_turns=40),
    CoupOptions(max_turns=25, window_mode="sealed", start_coins=6, names="classic"),
    CoupOptions(max_turns=3, mandatory_coup_at=7, two_player_first_coins=6),
)


def scramble(state: CoupState, viewer: Viewer, luck: Luck) -> CoupState:
    """The cards this viewer cannot see, dealt out again among themselves."""
    if state.phase == "over":
        return state
    me = viewer if viewer is not None and viewer not in state.gone else None
    own_pool = state.phase == "exchange" and me == state.at
    hidden = [
        card.role
        for at, hand in enumerate(state.hands)
        for card in hand
        if not card.face_up and at != me
    ]
    drawn = state.pool[influence(state, state.at) :] if state.pool else ()
    if not own_pool:
        hidden += drawn
    fresh = list(luck.shuffled("hidden", [*hidden, *state.deck]))
    hands = tuple(
        hand if at == me else tuple(card if card.face_up else Card(fresh.pop()) for card in hand)
        for at, hand in enumerate(state.hands)
    )
    pool = state.pool
    if state.pool and not own_pool:
        own = tuple(card.role for card in hands[state.at] if not card.face_up)
        pool = (*own, *(fresh.pop() for _ in drawn))
    return msgspec.structs.replace(state, hands=hands, pool=pool, deck=tuple(fresh))


def invariants(state: CoupState) -> None:
    """Every card is somewhere exactly once; nobody has debts."""
    cards = [card.role for hand in state.hands for card in hand] + list(state.deck)
    if state.pool:
        cards += state.pool[influence(state, state.at) :]
    assert sorted(cards) == sorted(role for role in ROLES for _ in range(COPIES))
    assert all(coins >= 0 for coins in state.coins)
    assert all(len(hand) == 2 for hand in state.hands)
    assert all(state.coins[seat] == 0 for seat in state.gone)
    alive = [Seat(at) for at in range(len(state.hands)) if influence(state, Seat(at))]
    assert set(alive).isdisjoint(state.gone)
    assert len(alive) + len(state.gone) == len(state.hands)
