"""Default members of `Rules`. They are sufficient for most small games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.contract.choices import every_move
from games.contract.core import Change, Move, Offer, Outcome, S, Told, Turn, all_seats, automatic
from games.contract.data import Seat
from games.contract.luck import Luck

SECONDS = 30.0
"""Seconds a question may take at normal pace."""


def turn_of_awaited(awaited: Callable[[S], tuple[Seat, ...]]) -> Callable[[S], Turn]:
    """Return a default for `Rules.turn`: if exactly one seat is awaited, it is that seat's turn,
    and otherwise nobody's.
    """

    def turn(state: S) -> Turn:
        waiting = awaited(state)
        seat = waiting[0] if len(waiting) == 1 else None
        order = all_seats(len(state.prompts))
        return Turn(seat=seat, count=state.clock, next=None, order=order)

    return turn


def first_move_lapse(
    moves: Any,
    awaited: Callable[[S], tuple[Seat, ...]],
    offers: Callable[[S, Seat], tuple[Offer, ...]],
    apply: Callable[[S, Seat, Any, Luck], Change[S]],
) -> Callable[[S, Luck], Change[S]]:
    """Return a default for `Rules.lapse`.

    Each awaited seat makes the first move that it is offered, but risky moves come last.
    """

    def first(state: S, seat: Seat) -> Move:
        offered = sorted(offers(state, seat), key=lambda offer: offer.risky)
        return next(every_move(moves, offered[0]))

    def lapse(state: S, luck: Luck) -> Change[S]:
        told: tuple[Told, ...] = ()
        for seat in awaited(state):
            if seat in awaited(state):  # the move of another seat may have ended the question
                change = apply(state, seat, first(state, seat), luck)
                state, told = change.state, (*told, *automatic(change.told, "clock"))
        return Change(state, told)

    return lapse


def steady_patience(outcome: Callable[[S], Outcome | None]) -> Callable[[S], float | None]:
    """Return a default for `Rules.patience`: SECONDS for every question until the match is over."""

    def patience(state: S) -> float | None:
        return SECONDS if outcome(state) is None else None

    return patience
