"""Data types of Iron Throne: roles, actions, options, state, moves, events and view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.contract.core import Echo, Event, Move, OnLeave, Options, State, View
from games.contract.data import AtMost, BySeat, Data, Seat, Values

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
    """An action (docs/rules/coup.md §1): its id, cost and claim, and the roles that block it."""

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
    """The options of a match of Iron Throne. `names` only changes displayed words."""

    on_leave: OnLeave = "leave"
    start_coins: Annotated[int, Meta(ge=0, le=6)] = 2
    two_player_first_coins: Annotated[int, Meta(ge=0, le=6)] = 1
    mandatory_coup_at: Annotated[int, Meta(ge=7, le=20)] = 10
    max_turns: Annotated[int, Meta(ge=1, le=1000)] = 200
    window_mode: Literal["first_come", "sealed"] = "first_come"
    names: Literal["iron_throne", "classic"] = "iron_throne"


class Card(Data, frozen=True):
    """An influence card."""

    role: Role
    face_up: bool = False


class Todo(Data, frozen=True):
    """A pending step of this turn. `seat` is the seat that loses an influence, if any."""

    what: Literal["lose", "succeed", "effect", "end"]
    seat: Seat | None = None


class Answer(Data, frozen=True):
    """An answer in a sealed window: a challenge, a block by this role, or a pass."""

    seat: Seat
    what: Literal["challenge", "block", "pass"]
    role: Role | None = None


class CoupState(State, frozen=True, kw_only=True):
    """State of a match. `deck[0]` is the top card. `gone` lists eliminated seats, in order."""

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
    """Take 1 coin."""


class ForeignAid(Move, frozen=True):
    """Take 2 coins. Players may block by claiming `baelish`."""


class Coup(Move, frozen=True):
    """Pay 7 coins. The target loses an influence."""

    target: Seat


class Tax(Move, frozen=True):
    """Claim `baelish` and take 3 coins."""


class Assassinate(Move, frozen=True):
    """Claim `hound` and pay 3 coins. The target loses an influence unless it blocks."""

    target: Seat


class Exchange(Move, frozen=True):
    """Claim `jaqen`, draw two cards and put two back."""


class Steal(Move, frozen=True):
    """Claim `arya` and take up to 2 coins from the target, who may block."""

    target: Seat


class Challenge(Move, frozen=True):
    """Challenge the open claim."""


class Block(Move, frozen=True):
    """Block the action by claiming a role that can."""

    role: Annotated[str, Values(ROLES)]


class Pass(Move, frozen=True):
    """Neither challenge nor block."""


class LoseInfluence(Move, frozen=True):
    """Turn one of your cards face up. `card` is its index in your hand."""

    card: Annotated[int, Values((0, 1))]


class ExchangeKeep(Move, frozen=True):
    """Keep these cards, as indexes into the pool."""

    keep: Annotated[tuple[int, ...], Values((0, 1, 2, 3), sizes=(1, 2))]


Declared = Income | ForeignAid | Coup | Tax | Assassinate | Exchange | Steal
Moves = Declared | Challenge | Block | Pass | LoseInfluence | ExchangeKeep


class ActionDeclared(Echo, frozen=True):
    """A player declares an action and the role it claims."""

    username: Seat
    action: ActionName
    target: Seat | None
    claim: Role | None


class Passed(Echo, frozen=True):
    """A player neither challenges nor blocks."""

    username: Seat


class Answered(Echo, frozen=True):
    """A player has answered. The answer is still hidden (with `windowMode: sealed`)."""

    username: Seat


class Challenged(Echo, frozen=True):
    """A player challenges a claim."""

    username: Seat
    against: Seat
    claim: Role


class RoleShown(Event, frozen=True):
    """The claim was true. The role is shown and returned to the deck."""

    username: Seat
    role: Role


class CardDrawn(Event, frozen=True):
    """The replacement of a shown card, sent only to its owner."""

    role: Role


class BluffCaught(Event, frozen=True):
    """The claim was false."""

    username: Seat
    claim: Role


class CostPaid(Event, frozen=True):
    """The cost of an action was paid. `coins` is the remaining amount."""

    username: Seat
    cost: int
    coins: int


class Blocked(Echo, frozen=True):
    """A player blocks the action by claiming a role."""

    username: Seat
    claim: Role


class ActionDone(Event, frozen=True):
    """An action has taken effect. `coins` has the new amounts of players whose coins changed."""

    username: Seat
    action: ActionName
    target: Seat | None
    coins: BySeat[int]


class ActionStopped(Event, frozen=True):
    """An action has no effect. `by` is the reason."""

    username: Seat
    action: ActionName
    by: Literal["challenge", "block", "target_out", "left"]


class InfluenceLost(Echo, frozen=True):
    """A player's card is now face up."""

    username: Seat
    role: Role
    card: int


class PoolDrawn(Event, frozen=True):
    """The cards to choose from in an exchange, your own first. For the exchanging player only."""

    pool: tuple[Role, ...]


class Exchanged(Echo, frozen=True):
    """A player has finished an exchange. The number of cards exchanged is secret."""

    username: Seat


class PlayerEliminated(Event, frozen=True):
    """A player has no influence left and is out."""

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
    """A card as others see it. `role` is null unless it is face up."""

    role: Role | None
    face_up: bool


class CoupPlayer(Data, frozen=True, kw_only=True):
    """The public facts of a seat."""

    coins: int
    influence: int
    cards: Annotated[tuple[SeenCard, ...], AtMost(2)]


class CoupView(View, frozen=True, kw_only=True):
    """A match of Iron Throne as one viewer may see it."""

    phase: Phase
    players: tuple[CoupPlayer, ...]
    turn_stage: int
    """0 to 11 (docs/rules/coup.md §3.1)."""
    game_status: int
    """1 while the match runs, 2 once it is over."""
    turns_played: int
    deck_size: int
    hand: Annotated[tuple[Card, ...], AtMost(2)] | None
    """Your cards. Moves and events refer to a card by its index here."""
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
    """Players who may still challenge, block or pass."""
    loser: Seat | None
    """The player who has to turn a card face up."""
    pool: Annotated[tuple[Role, ...], AtMost(4)] | None
    """The cards to choose from in an exchange, your own first. For the exchanging player only."""
    flat: Mapping[str, Any]
    """The same as a flat state, with seats as letters (docs/rules/coup.md §9)."""


def alive(state: CoupState) -> tuple[Seat, ...]:
    """Return the seats that still have influence, in turn order."""
    return tuple(Seat(at) for at in range(len(state.hands)) if influence(state, Seat(at)))


def influence(state: CoupState, seat: Seat) -> int:
    """Return the number of face-down cards of a seat."""
    return sum([not card.face_up for card in state.hands[seat]])


def after(state: CoupState, seat: Seat) -> tuple[Seat, ...]:
    """Return the living seats in turn order, from the one after `seat` to `seat` itself."""
    n = len(state.hands)
    around = (Seat((seat + step) % n) for step in range(1, n + 1))
    return tuple(other for other in around if influence(state, other))


def claim_of(state: CoupState) -> Role | None:
    """Return the role that the current action claims, or None if it claims none."""
    return ACTIONS[state.action].claim if state.action else None
