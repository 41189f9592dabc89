"""Iron Throne as data: roles, actions, options, state, moves, events and what a viewer sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.rules.core import Event, Move, OnLeave, Options, State, View
from games.rules.data import BySeat, Data, Seat

Role = Literal["baelish", "hound", "jaqen", "arya", "melisandre"]
ROLES: tuple[Role, ...] = ("baelish", "hound", "jaqen", "arya", "melisandre")
COPIES = 3

ActionName = Literal["Income", "ForeignAid", "Coup", "Tax", "Assassinate", "Exchange", "Steal"]
Phase = Literal[
    "action",
    "challenge_window",
    "block_window",
    "block_challenge_window",
    "lose_influence",
    "exchange",
    "over",
]


class Action(Data, frozen=True, kw_only=True):
    """What an action takes: its number in the seed, its price, the role it claims, who stops it."""

    id: int
    cost: int = 0
    claim: Role | None = None
    aimed: bool = False
    blocked_by: tuple[Role, ...] = ()


ACTIONS: Mapping[ActionName, Action] = {
    "Income": Action(id=0),
    "ForeignAid": Action(id=1, blocked_by=("baelish",)),
    "Coup": Action(id=2, cost=7, aimed=True),
    "Tax": Action(id=3, claim="baelish"),
    "Assassinate": Action(id=4, cost=3, claim="hound", aimed=True, blocked_by=("melisandre",)),
    "Exchange": Action(id=5, claim="jaqen"),
    "Steal": Action(id=6, claim="arya", aimed=True, blocked_by=("jaqen", "arya")),
}


class CoupOptions(Options, frozen=True, kw_only=True):
    on_leave: OnLeave = "leave"
    start_coins: Annotated[int, Meta(ge=0, le=6)] = 2
    two_player_first_coins: Annotated[int, Meta(ge=0, le=6)] = 1
    mandatory_coup_at: Annotated[int, Meta(ge=7, le=20)] = 10
    max_turns: Annotated[int, Meta(ge=1, le=1000)] = 200
    window_mode: Literal["first_come", "sealed"] = "first_come"
    names: Literal["iron_throne", "classic"] = "iron_throne"


class Card(Data, frozen=True):
    role: Role
    face_up: bool = False


class Todo(Data, frozen=True):
    """What is still to happen this turn. `seat`: who loses an influence."""

    what: Literal["lose", "succeed", "effect", "end"]
    seat: Seat | None = None


class Answer(Data, frozen=True):
    """An answer in a sealed window: a challenge, a block by this role, or a pass."""

    seat: Seat
    what: Literal["challenge", "block", "pass"]
    role: Role | None = None


class CoupState(State, frozen=True, kw_only=True):
    """`deck` has its top in front. `gone` lists who went out, in order."""

    options: CoupOptions
    phase: Phase
    turn_stage: int = 0
    at: Seat
    action: ActionName | None = None
    target: Seat | None = None
    action_challenger: Seat | None = None
    block: Role | None = None
    blocker: Seat | None = None
    block_challenger: Seat | None = None
    waiting: tuple[Seat, ...] = ()
    answers: tuple[Answer, ...] = ()
    queue: tuple[Todo, ...] = ()
    loser: Seat | None = None
    pool: tuple[Role, ...] = ()
    hands: tuple[tuple[Card, ...], ...]
    coins: tuple[int, ...]
    deck: tuple[Role, ...]
    turns_played: int = 0
    gone: tuple[Seat, ...] = ()
    reason: Literal["last_alive", "turn_limit"] | None = None


class Income(Move, frozen=True):
    pass


class ForeignAid(Move, frozen=True):
    pass


class Coup(Move, frozen=True):
    target: Seat


class Tax(Move, frozen=True):
    pass


class Assassinate(Move, frozen=True):
    target: Seat


class Exchange(Move, frozen=True):
    pass


class Steal(Move, frozen=True):
    target: Seat


class Challenge(Move, frozen=True):
    pass


class Block(Move, frozen=True):
    role: str


class Pass(Move, frozen=True):
    pass


class LoseInfluence(Move, frozen=True):
    card: int


class ExchangeKeep(Move, frozen=True):
    keep: tuple[int, ...]


Declared = Income | ForeignAid | Coup | Tax | Assassinate | Exchange | Steal
Moves = Declared | Challenge | Block | Pass | LoseInfluence | ExchangeKeep


class ActionDeclared(Event, frozen=True):
    username: Seat
    action: ActionName
    target: Seat | None
    claim: Role | None


class Passed(Event, frozen=True):
    username: Seat


class Answered(Event, frozen=True):
    username: Seat


class Challenged(Event, frozen=True):
    username: Seat
    against: Seat
    claim: Role


class RoleShown(Event, frozen=True):
    username: Seat
    role: Role


class CardDrawn(Event, frozen=True):
    role: Role


class BluffCaught(Event, frozen=True):
    username: Seat
    claim: Role


class CostPaid(Event, frozen=True):
    username: Seat
    cost: int
    coins: int


class Blocked(Event, frozen=True):
    username: Seat
    claim: Role


class ActionDone(Event, frozen=True):
    username: Seat
    action: ActionName
    target: Seat | None
    coins: BySeat[int]


class ActionStopped(Event, frozen=True):
    username: Seat
    action: ActionName
    by: Literal["challenge", "block", "target_out", "left"]


class InfluenceLost(Event, frozen=True):
    username: Seat
    role: Role
    card: int


class PoolDrawn(Event, frozen=True):
    pool: tuple[Role, ...]


class Exchanged(Event, frozen=True):
    username: Seat


class PlayerEliminated(Event, frozen=True):
    username: Seat


Events = (
    ActionDeclared
    | Passed
    | Answered
    | Challenged
    | RoleShown
    | CardDrawn
    | BluffCaught
    | CostPaid
    | Blocked
    | ActionDone
    | ActionStopped
    | InfluenceLost
    | PoolDrawn
    | Exchanged
    | PlayerEliminated
)


class SeenCard(Data, frozen=True):
    """A card as others see it: its role only while it lies face up."""

    role: Role | None
    face_up: bool


class CoupPlayer(Data, frozen=True, kw_only=True):
    coins: int
    influence: int
    cards: tuple[SeenCard, ...]


class CoupView(View, frozen=True, kw_only=True):
    players: tuple[CoupPlayer, ...]
    turn_stage: int
    game_status: int
    turns_played: int
    deck_size: int
    hand: tuple[Card, ...] | None
    on_turn: Seat | None
    actor: Seat | None
    action: ActionName | None
    target: Seat | None
    claim: Role | None
    action_challenger: Seat | None
    block: Role | None
    blocker: Seat | None
    block_challenger: Seat | None
    waiting: tuple[Seat, ...]
    loser: Seat | None
    pool: tuple[Role, ...] | None
    flat: Mapping[str, Any]


def alive(state: CoupState) -> tuple[Seat, ...]:
    """The seats that still have influence, in turn order."""
    return tuple(Seat(at) for at in range(len(state.hands)) if influence(state, Seat(at)))


def influence(state: CoupState, seat: Seat) -> int:
    """How many cards of a seat lie face down."""
    return sum(not card.face_up for card in state.hands[seat])


def after(state: CoupState, seat: Seat) -> tuple[Seat, ...]:
    """The living seats in turn order, from the one after this seat (itself last, if alive)."""
    n = len(state.hands)
    around = (Seat((seat + step) % n) for step in range(1, n + 1))
    return tuple(other for other in around if influence(state, other))


def claim_of(state: CoupState) -> Role | None:
    """The role the running action claims."""
    return ACTIONS[state.action].claim if state.action else None
