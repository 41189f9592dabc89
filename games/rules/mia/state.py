"""Mia as data: options, state, moves, events and what a viewer sees."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.rules.core import Event, Move, OnLeave, Options, State, View
from games.rules.data import BySeat, Data, Seat

Phase = Literal["turn", "announce", "result", "over"]
Reason = Literal[
    "SEE_BEFORE_FIRST_ROLL",
    "DID_NOT_TAKE_TURN",
    "INVALID_TURN",
    "DID_NOT_ANNOUNCE",
    "ANNOUNCED_LOSING_DICE",
    "LIED_ABOUT_MIA",
    "MIA",
    "CAUGHT_BLUFFING",
    "SEE_FAILED",
]
Dice = str
"""Two dice as they are announced: the larger, a comma, the smaller."""

MIA = "2,1"
LITTLE_MIA = "3,1"
_PLAIN = tuple(f"{a},{b}" for a in range(3, 7) for b in range(1, a))
_DOUBLES = tuple(f"{a},{a}" for a in range(1, 7))
_USUAL: tuple[Dice, ...] = (*_PLAIN, *_DOUBLES, MIA)
_LITTLE: tuple[Dice, ...] = (*_PLAIN[1:], *_DOUBLES, LITTLE_MIA, MIA)


def ranking(little_mia: bool) -> tuple[Dice, ...]:
    """The 21 values from the lowest to Mia."""
    return _LITTLE if little_mia else _USUAL


class MiaOptions(Options, frozen=True, kw_only=True):
    on_leave: OnLeave = "leave"
    scoring: Literal["lives", "points"] = "lives"
    lives: Annotated[int, Meta(ge=1, le=9)] = 3
    rounds: Annotated[int, Meta(ge=1, le=1000)] = 10
    little_mia: bool = False
    must_raise: bool = True
    mia_costs: Annotated[int, Meta(ge=1, le=2)] = 1
    on_fault: Literal["refuse", "lose"] = "refuse"
    human_ms: Annotated[int, Meta(ge=0, le=120000)] = 30000


class Announcement(Data, frozen=True):
    username: Seat
    dice: Dice


class Loss(Data, frozen=True):
    usernames: tuple[Seat, ...]
    reason: Reason


class MiaState(State, frozen=True, kw_only=True):
    """`seating` is the order drawn for the match, `order` that of this round.

    `dice` are those under the cup of `roller`. `lives` count with `scoring: lives`, `points`
    otherwise. `gone` holds who went out, in groups of those who did so together.
    """

    options: MiaOptions
    phase: Phase
    round: int
    turn_count: int
    seating: tuple[Seat, ...]
    order: tuple[Seat, ...]
    at: Seat
    announcements: tuple[Announcement, ...] = ()
    roller: Seat | None = None
    dice: Dice | None = None
    shown: Announcement | None = None
    lost: Loss | None = None
    starter: Seat | None = None
    continued: tuple[Seat, ...] = ()
    lives: tuple[int, ...]
    points: tuple[int, ...]
    gone: tuple[tuple[Seat, ...], ...] = ()
    reason: Literal["last_alive", "rounds", "not_enough_players"] | None = None


class Roll(Move, frozen=True):
    pass


class See(Move, frozen=True):
    pass


class Announce(Move, frozen=True):
    """`3,5` is read as `5,3`."""

    dice: Dice

    def __post_init__(self) -> None:
        parts = self.dice.split(",")
        if len(parts) == 2 and parts[0] < parts[1]:
            msgspec.structs.force_setattr(self, "dice", f"{parts[1]},{parts[0]}")


class Continue(Move, frozen=True):
    pass


class Fault(Move, frozen=True):
    """An answer that was no move at all (only with `on_fault: lose`)."""


Moves = Roll | See | Announce | Continue | Fault


class RoundStarted(Event, frozen=True):
    round: int
    order: tuple[Seat, ...]


class PlayerRolls(Event, frozen=True):
    username: Seat


class Rolled(Event, frozen=True):
    dice: Dice


class Announced(Event, frozen=True):
    username: Seat
    dice: Dice


class PlayerWantsToSee(Event, frozen=True):
    username: Seat


class ActualDice(Event, frozen=True):
    dice: Dice


class PlayerLost(Event, frozen=True):
    usernames: tuple[Seat, ...]
    reason: Reason


class LivesLeft(Event, frozen=True):
    lives: BySeat[int]


class Score(Event, frozen=True):
    points: BySeat[int]


class PlayerOut(Event, frozen=True):
    username: Seat


class Continued(Event, frozen=True):
    username: Seat


Events = (
    RoundStarted
    | PlayerRolls
    | Rolled
    | Announced
    | PlayerWantsToSee
    | ActualDice
    | PlayerLost
    | LivesLeft
    | Score
    | PlayerOut
    | Continued
)


class MiaPlayer(Data, frozen=True):
    """The public facts of a seat; the count that is not kept is null."""

    lives: int | None
    points: int | None


class MiaView(View, frozen=True, kw_only=True):
    players: tuple[MiaPlayer, ...]
    round: int
    order: tuple[Seat, ...]
    on_turn: Seat | None
    announced: Announcement | None
    announcements: tuple[Announcement, ...]
    dice: Dice | None
    shown: Announcement | None
    lost: Loss | None
    continued: tuple[Seat, ...]
