"""The views of Iron Throne, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from string import ascii_lowercase
from typing import Any

from games.contract.core import Outcome, Turn, all_seats
from games.contract.data import Seat, Viewer
from games.coup.rules.state import (
    ACTIONS,
    ROLES,
    Card,
    CoupPlayer,
    CoupState,
    CoupView,
    SeenCard,
    after,
    alive,
    claim_of,
    influence,
)


def out(state: CoupState) -> tuple[Seat, ...]:
    return state.gone


def turn(state: CoupState) -> Turn:
    """Return the turn holder and the next living seat.

    There is no turn holder when the match is over.
    """
    order = all_seats(len(state.hands))
    if state.phase == "over":
        return Turn(seat=None, count=state.turns_played + 1, next=None, order=order)
    following = next((seat for seat in after(state, state.at) if seat != state.at), None)
    return Turn(seat=state.at, count=state.turns_played + 1, next=following, order=order)


def view(state: CoupState, viewer: Viewer) -> CoupView:
    """Return what this viewer sees.

    Face-down cards are shown to their owner, and to everybody at the end.
    """
    return seen_by(state, viewer, flat=True)


def seen_by(state: CoupState, viewer: Viewer, flat: bool = False) -> CoupView:
    """Return what this viewer sees. With `flat`, add the flat state, which repeats other fields."""
    me = viewer if viewer is not None and viewer not in state.gone else None
    on = state.phase != "over"
    return CoupView(
        phase=state.phase,
        players=tuple(_player(state, seat) for seat in all_seats(len(state.hands))),
        turn_stage=state.turn_stage,
        game_status=1 if on else 2,
        turns_played=state.turns_played,
        deck_size=len(state.deck),
        hand=state.hands[me] if me is not None else None,
        on_turn=state.at if on else None,
        actor=state.at if state.action else None,
        action=state.action,
        target=state.target,
        claim=claim_of(state),
        action_challenger=state.action_challenger,
        block=state.block,
        blocker=state.blocker,
        block_challenger=state.block_challenger,
        waiting=state.waiting,
        loser=state.loser,
        pool=state.pool if me == state.at and state.pool else None,
        flat=_flat(state, me) if flat else {},
    )


def outcome(state: CoupState) -> Outcome | None:
    """Rank the last player alive first. At the turn limit, rank by influence and then coins.

    Return None if the match is not over.
    """
    if state.reason is None:
        return None
    eliminated = tuple((seat,) for seat in reversed(state.gone))
    scores = {seat: (influence(state, seat), state.coins[seat]) for seat in alive(state)}
    groups = tuple(
        tuple(seat for seat, score in scores.items() if score == best)
        for best in sorted(set(scores.values()), reverse=True)
    )
    return Outcome(groups[0], groups + eliminated, None, state.reason)


def _player(state: CoupState, seat: Seat) -> CoupPlayer:
    cards = _seen(state.hands[seat], state.phase == "over")
    return CoupPlayer(coins=state.coins[seat], influence=influence(state, seat), cards=cards)


@lru_cache(maxsize=1024)
def _seen(hand: tuple[Card, ...], shown: bool) -> tuple[SeenCard, ...]:
    """Return a hand as others see it. `shown` means that all cards are."""
    return tuple(
        SeenCard(card.role if card.face_up or shown else None, card.face_up) for card in hand
    )


def _flat(state: CoupState, me: Viewer) -> Mapping[str, Any]:
    """Return the flat state that this viewer may see (docs/rules/coup.md §9)."""
    flat: dict[str, Any] = {}
    for seat in all_seats(len(state.hands)):
        letter, down = ascii_lowercase[seat], [c for c in state.hands[seat] if not c.face_up]
        known = seat == me or state.phase == "over"
        flat |= {
            letter: seat not in state.gone,
            f"{letter}_id": seat,
            f"{letter}_roles": [ROLES.index(c.role) if known else None for c in down],
            f"{letter}_faceup": [ROLES.index(c.role) for c in state.hands[seat] if c.face_up],
            f"{letter}_credits": state.coins[seat],
        }
    return flat | {
        "currentTurn": ascii_lowercase[state.at],
        "action": ACTIONS[state.action].id if state.action else None,
        "target": state.target,
        "actionChallenger": state.action_challenger,
        "block": ROLES.index(state.block) if state.block else None,
        "blocker": state.blocker,
        "blockChallenger": state.block_challenger,
        "turnStage": state.turn_stage,
        "gameStatus": 2 if state.phase == "over" else 1,
    }
