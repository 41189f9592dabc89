"""Data types of Mia: options, state, moves, events and view."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.contract.core import Echo, Event, Move, OnLeave, Options, State, View
from games.contract.data import BySeat, Data, Seat, Values

Phase = Literal["turn", "announce", "result", "over"]
MIA = "2,1"
LITTLE_MIA = "3,1"
_PLAIN = tuple(f"{a},{b}" for a in range(3, 7) for b in range(1, a))
_DOUBLES = tuple(f"{a},{a}" for a in range(1, 7))
_USUAL = (*_PLAIN, *_DOUBLES, MIA)
_LITTLE = (*_PLAIN[1:], *_DOUBLES, LITTLE_MIA, MIA)

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
Dice = Annotated[
    str,
    Meta(
        title="mia.Dice",
        description="Two dice: the larger, a comma, the smaller.",
        examples=["5,3"],
    ),
    Values(_USUAL),
]


def ranking(little_mia: bool) -> tuple[Dice, ...]:
    """Return the 21 values, from the lowest to Mia."""
    return _LITTLE if little_mia else _USUAL


class MiaOptions(Options, frozen=True, kw_only=True):
    """The options of a match of Mia."""

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
    """A player's claim about the dice under the cup."""

    username: Seat
    dice: Dice


class Loss(Data, frozen=True):
    """The losers of a round, and the reason."""

    usernames: tuple[Seat, ...]
    reason: Reason
    paid: BySeat[int] = BySeat()
    """Lives lost by each of them (with `scoring: lives`)."""


class MiaState(State, frozen=True, kw_only=True):
    """State of a match. `seating` is the order drawn for the match, `order` that of this round.

    `dice` are the dice under the cup of `roller`. `lives` are used with `scoring: lives`, otherwise
    `points`. `gone` lists eliminated seats, in groups of those eliminated together.
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


def out(state: MiaState) -> tuple[Seat, ...]:
    """Return the seats that have no lives left or have left the match, in order of elimination."""
    return tuple(seat for group in state.gone for seat in group)


def staying(state: MiaState) -> int:
    """Return the number of players who are still in."""
    return len(state.lives) - len(out(state))


class Roll(Move, frozen=True):
    """Roll the dice in secret."""


class See(Move, frozen=True):
    """Demand to see the dice of the previous player."""


class Announce(Move, frozen=True):
    """Announce the dice under the cup, true or not. `3,5` is read as `5,3`."""

    dice: Dice

    def __post_init__(self) -> None:
        parts = self.dice.split(",")
        if len(parts) == 2 and parts[0] < parts[1]:
            msgspec.structs.force_setattr(self, "dice", f"{parts[1]},{parts[0]}")


class Continue(Move, frozen=True):
    """Confirm that you have read the result."""


class Fault(Move, frozen=True):
    """An answer that is not a valid move (only with `onFault: lose`)."""


Moves = Roll | See | Announce | Continue | Fault


class RoundStarted(Event, frozen=True):
    """A round begins. `order` is the order of play."""

    round: int
    order: tuple[Seat, ...]


class PlayerRolls(Echo, frozen=True):
    """A player has rolled in secret."""

    username: Seat


class Rolled(Event, frozen=True):
    """The dice under the cup, sent only to the roller."""

    dice: Dice


class Announced(Echo, frozen=True):
    """A player has announced dice, true or not."""

    username: Seat
    dice: Dice


class PlayerWantsToSee(Echo, frozen=True):
    """A player doubts the last announcement."""

    username: Seat


class ActualDice(Event, frozen=True):
    """The actual dice under the cup."""

    dice: Dice


class PlayerLost(Echo, frozen=True):
    """The round is over. `usernames` have lost it."""

    usernames: tuple[Seat, ...]
    reason: Reason


class LivesLeft(Event, frozen=True):
    """Everybody's lives after a round (with `scoring: lives`)."""

    lives: BySeat[int]


class Score(Event, frozen=True):
    """Everybody's points after a round (with `scoring: points`)."""

    points: BySeat[int]


class PlayerOut(Event, frozen=True):
    """A player has no lives left, or has left."""

    username: Seat


class Continued(Echo, frozen=True):
    """A player has read the result."""

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
    """The public facts of a seat. The score not used by `scoring` is null."""

    lives: int | None
    points: int | None


class MiaView(View, frozen=True, kw_only=True):
    """A match of Mia as one viewer may see it."""

    phase: Phase
    players: tuple[MiaPlayer, ...]
    round: int
    order: tuple[Seat, ...]
    on_turn: Seat | None
    announced: Announcement | None
    announcements: tuple[Announcement, ...]
    dice: Dice | None
    """The dice under the cup, for the roller only, until they are shown or another player rolls."""
    shown: Announcement | None
    """The actual dice under the cup, after a player demanded to see them."""
    lost: Loss | None
    """Result of the round, until the next one begins."""
    continued: tuple[Seat, ...]
    """Players who have read the result."""
