"""Hidden information of Iron Throne: face-down cards, the deck, exchanges, sealed answers."""

from __future__ import annotations

import msgspec

from games.contract.data import Seat, Viewer
from games.contract.luck import Luck
from games.coup.rules.state import (
    ACTIONS,
    COPIES,
    ROLES,
    Answer,
    Blocked,
    BluffCaught,
    Card,
    CardDrawn,
    Challenged,
    CoupOptions,
    CoupState,
    InfluenceLost,
    PoolDrawn,
    RoleShown,
    influence,
)

LITTLE = {"games.coup.bots.hard.WORLDS": 4}
"""Search limits of the bots in tests that are not `long`."""
OPTIONS = (
    CoupOptions(max_turns=40),
    CoupOptions(max_turns=25, window_mode="sealed", start_coins=6, names="classic"),
    CoupOptions(max_turns=3, mandatory_coup_at=7, two_player_first_coins=6),
)
REVEALS = (Challenged, Blocked, RoleShown, BluffCaught, CardDrawn, InfluenceLost, PoolDrawn)
"""Events that reveal hidden information: cards, and sealed answers."""
PRIVATE = {
    CardDrawn: lambda event, change, seat: any(
        isinstance(told.event, RoleShown) and told.event.username == seat for told in change.told
    ),
    PoolDrawn: lambda event, change, seat: seat == change.state.at,
}
"""Private events, each with a function that says whether a seat may hear it."""
DRAWN = ()
"""Public events that reveal a new random draw."""


def scramble(state: CoupState, viewer: Viewer, luck: Luck) -> CoupState:
    """Redeal the cards this viewer cannot see, and change the sealed answers of others."""
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
    answers = tuple(a if a.seat == me else _another(state, a, luck) for a in state.answers)
    return msgspec.structs.replace(
        state, hands=hands, pool=pool, deck=tuple(fresh), answers=answers
    )


def _another(state: CoupState, answer: Answer, luck: Luck) -> Answer:
    """Return a random answer this seat could have given."""
    assert state.action is not None
    others = [Answer(answer.seat, "pass")]
    if state.phase == "block_window":
        others += [Answer(answer.seat, "block", role) for role in ACTIONS[state.action].blocked_by]
    else:
        others.append(Answer(answer.seat, "challenge"))
    return luck.pick("answer", others)


def invariants(state: CoupState) -> None:
    """Check that every card exists exactly once and that nobody has debts."""
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
