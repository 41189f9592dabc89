"""Data types of Chamber: options, state, moves, events and view."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from games.contract.core import Echo, Event, Move, OnLeave
from games.contract.core import Options as BaseOptions
from games.contract.core import State as BaseState
from games.contract.core import View as BaseView
from games.contract.data import BySeat, Data, Seat, Viewer

Ammo = Literal["live", "blank"]
Item = Literal[
    "skip",
    "double_damage",
    "chamber_check",
    "rebalancer",
    "quickshot",
    "steal",
    "add_life",
    "shoot_air",
]
Usable = Literal["skip", "double_damage", "chamber_check", "quickshot", "add_life", "shoot_air"]
Phase = Literal["rebalance", "turn", "over"]
Reason = Literal["last_alive", "max_rounds"]
Code = Literal[
    "bad_options",
    "bad_target",
    "items_closed",
    "no_item",
    "already_skipped",
    "skip_cooldown",
    "already_active",
    "max_lives",
    "cannot_steal",
    "target_lacks_item",
    "rebalancer_window_closed",
    "rebalance_cap",
]

ITEMS: tuple[Item, ...] = get_args(Item)
EVERY_ROUND: tuple[Item, ...] = ITEMS[:-1]
"""The seven standard items. `shoot_air` is dealt only if the option is set."""


class Options(BaseOptions, frozen=True, kw_only=True):
    """The options of a match of Chamber. A limit of 0 means no limit."""

    on_leave: OnLeave = "leave"
    start_lives: Annotated[int, Meta(ge=1, le=20)] = 5
    items_per_round: Annotated[int, Meta(ge=0, le=8)] = 4
    add_life_rounds: Annotated[int, Meta(ge=0, le=20)] = 5
    live_min: Annotated[int, Meta(ge=1, le=8)] = 1
    live_max: Annotated[int, Meta(ge=1, le=8)] = 6
    blank_min: Annotated[int, Meta(ge=0, le=8)] = 1
    blank_max: Annotated[int, Meta(ge=0, le=8)] = 6
    item_copies: Annotated[int, Meta(ge=0, le=16)] = 0
    shoot_air_copies: Annotated[int, Meta(ge=0, le=16)] = 0
    max_lives: Annotated[int, Meta(ge=0, le=30)] = 0
    loot: bool = True
    skip_cooldown: bool = False
    rebalance_cap: Annotated[int, Meta(ge=0, le=90)] = 75
    """Maximum share of one kind of round after a Rebalancer, in percent."""
    max_rounds: Annotated[int, Meta(ge=0, le=200)] = 0


class Player(Data, frozen=True, kw_only=True):
    """A seat. All fields are public. Add nothing secret here."""

    lives: int
    items: tuple[Item, ...] = ()
    is_skipped: bool = False
    skip_immune: bool = False


class Rounds(Data, frozen=True, kw_only=True):
    """Numbers of live and blank rounds."""

    live: int
    blank: int


class Fired(Data, frozen=True, kw_only=True):
    """A fired round. `username` is null if it was fired into the air."""

    shooter: Seat
    username: Viewer
    ammo_type: Ammo
    damage: int
    forfeit: bool


class Aim(Data, frozen=True, kw_only=True):
    """Temporary state of the shooter, reset with every turn."""

    shots_left: int = 1
    counted: int = 0
    quickshot: bool = False
    double_damage: bool = False
    peeked: bool = False
    """The shooter has seen the next round. Nobody else can have: a check requires the turn, and a
    turn ends only when a round is drawn or the seat leaves."""


AT_REST = Aim(shots_left=0)


class State(BaseState, frozen=True, kw_only=True):
    options: Options
    phase: Phase
    round: int
    turn_count: int
    players: tuple[Player, ...]
    loaded: Rounds
    """Numbers at the start of this round. In the Rebalancer window, the numbers to be loaded."""
    ammo: tuple[Ammo, ...] | None
    """The chamber, next round first. Secret. None while it is not loaded."""
    fired: tuple[Fired, ...]
    waiting: tuple[Seat, ...]
    aim: Aim
    fallen: tuple[Seat, ...]
    """Seats that are out, in the order of elimination."""
    reason: Reason | None
    rebalance_cap: int = 0
    """As in the options. 0 in matches older than this option."""


class View(BaseView, frozen=True, kw_only=True):
    """A match of Chamber as one viewer may see it."""

    phase: Phase
    players: tuple[Player, ...]
    round: int
    live: int
    """Live rounds left in the chamber, or to be loaded so far. `blank` likewise."""
    blank: int
    loaded: Rounds
    """Numbers at the start of this round."""
    fired: tuple[Fired, ...]
    """Rounds fired since the chamber was loaded, oldest first."""
    shooter: Viewer
    shots_left: int
    items_open: bool
    quickshot: bool
    double_damage: bool
    waiting: tuple[Seat, ...]
    """Players who may still add rounds."""
    rebalance_cap: int
    """Maximum share of one kind of round after a Rebalancer, in percent. 0 means no limit."""
    known_next: Ammo | None
    """The next round, if this viewer has looked at it."""
    ammo_deck: tuple[Ammo, ...] | None
    """The rounds left, once the match is over."""


# Moves (docs/rules/chamber.md §7).


class ShootPlayer(Move, frozen=True):
    """Fire the next round at a player, possibly yourself."""

    username: Seat


class UseSkipItem(Move, frozen=True):
    """Skip another player's next turn."""

    target: Seat


class UseDoubleDamageItem(Move, frozen=True):
    """Let the next round take two lives, if it is live."""


class UseChamberCheckItem(Move, frozen=True):
    """Look at the next round."""


class UseRebalancerItem(Move, frozen=True):
    """Add rounds of one kind before the chamber is loaded."""

    ammo_type: Ammo


class UseQuickshotItem(Move, frozen=True):
    """Fire twice in this turn."""


class UseStealItem(Move, frozen=True):
    """Take another player's item and use it at once. A stolen skip requires `skipTarget`."""

    target: Seat
    item: Item
    skip_target: Seat | None = None


class UseAddLifeItem(Move, frozen=True):
    """Add one life to yours."""


class UseShootAirItem(Move, frozen=True):
    """Fire the next round into the air."""


class PassRebalance(Move, frozen=True):
    """Add no rounds."""


Moves = (
    ShootPlayer
    | UseSkipItem
    | UseDoubleDamageItem
    | UseChamberCheckItem
    | UseRebalancerItem
    | UseQuickshotItem
    | UseStealItem
    | UseAddLifeItem
    | UseShootAirItem
    | PassRebalance
)


# Events. An event that only repeats a move has the wire name of that move.


class RoundStarted(Event, frozen=True):
    """A round begins with these numbers of live and blank rounds."""

    round: int
    live: int
    blank: int


class ItemsDealt(Event, frozen=True):
    """Everybody has new items, which replace the old ones."""

    items: BySeat[tuple[Item, ...]]


class Rebalanced(Echo, frozen=True, tag="UseRebalancerItem"):
    """A player has added rounds of one kind. `count` is their number."""

    username: Seat
    ammo_type: Ammo
    count: int


class RebalancePassed(Echo, frozen=True, tag="PassRebalance"):
    """A player has added no rounds."""

    username: Seat


class ChamberLoaded(Event, frozen=True):
    """The chamber is loaded and shuffled."""

    live: int
    blank: int


class Shot(Echo, frozen=True, tag="ShootPlayer"):
    """A round was fired at `username`. `forfeit` means that the shooter's time ran out."""

    shooter: Seat
    username: Seat
    ammo_type: Ammo
    damage: int
    forfeit: bool


class AirShot(Echo, frozen=True, tag="UseShootAirItem"):
    """A round was fired into the air."""

    username: Seat
    ammo_type: Ammo


class SkipUsed(Echo, frozen=True, tag="UseSkipItem"):
    """A player's next turn will be skipped."""

    username: Seat
    target: Seat


class DoubleDamageUsed(Echo, frozen=True, tag="UseDoubleDamageItem"):
    """The next round takes two lives, if it is live."""

    username: Seat


class QuickshotUsed(Echo, frozen=True, tag="UseQuickshotItem"):
    """The shooter fires twice in this turn."""

    username: Seat


class ChamberChecked(Echo, frozen=True, tag="UseChamberCheckItem"):
    """The shooter has looked at the next round."""

    username: Seat


class ChamberSeen(Event, frozen=True, tag="UseChamberCheckResult"):
    """The kind of the next round, sent only to the player who looked at it."""

    ammo_type: Ammo


class LifeAdded(Echo, frozen=True, tag="UseAddLifeItem"):
    """The shooter has gained a life. `lives` is the new number."""

    username: Seat
    lives: int


class ItemStolen(Echo, frozen=True, tag="UseStealItem"):
    """The shooter has stolen an item. Its effect follows."""

    username: Seat
    target: Seat
    item: Item
    skip_target: Viewer


class TurnSkipped(Event, frozen=True):
    """A player's turn was skipped."""

    username: Seat


class PlayerEliminated(Event, frozen=True):
    """A player is out. `by` is null if they left."""

    username: Seat
    by: Viewer


class ItemsLooted(Event, frozen=True):
    """The shooter has taken the items of the eliminated player."""

    username: Seat
    from_: Seat
    items: tuple[Item, ...]


class RoundEnded(Event, frozen=True):
    """The chamber is empty."""

    round: int


Events = (
    RoundStarted
    | ItemsDealt
    | Rebalanced
    | RebalancePassed
    | ChamberLoaded
    | Shot
    | AirShot
    | SkipUsed
    | DoubleDamageUsed
    | QuickshotUsed
    | ChamberChecked
    | ChamberSeen
    | LifeAdded
    | ItemStolen
    | TurnSkipped
    | PlayerEliminated
    | ItemsLooted
    | RoundEnded
)


# Helpers to read a state.


def alive(state: State) -> tuple[Seat, ...]:
    """Return the seats that are not out, in seat order."""
    return tuple(Seat(at) for at, player in enumerate(state.players) if player.lives)


def current(state: State) -> Seat:
    """Return the seat to which the turn count points. It has the turn only in the phase `turn`."""
    return Seat(state.turn_count % len(state.players))


def next_up(players: tuple[Player, ...], after: Seat) -> Seat | None:
    """Return the next seat that is neither out nor skipped, or None if there is none.

    It may be the seat `after` itself.
    """
    n = len(players)
    for step in range(1, n + 1):
        seat = Seat((after + step) % n)
        if players[seat].lives and not players[seat].is_skipped:
            return seat
    return None


def remaining(state: State) -> Rounds:
    """Return the numbers of rounds left in the chamber, or to be loaded if it is not loaded yet."""
    if state.ammo is None:
        return state.loaded
    return Rounds(live=state.ammo.count("live"), blank=state.ammo.count("blank"))


def room_for(ammo: Ammo, live: int, blank: int, cap: int, most: int) -> int:
    """Return how many rounds of a kind a Rebalancer may add, at most `most`.

    The share of that kind must stay within the cap. The result is negative if it already exceeds
    the cap.
    """
    same, other = (live, blank) if ammo == "live" else (blank, live)
    return min(most, cap * other // (100 - cap) - same) if cap else most


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with these fields of one seat changed."""
    player = msgspec.structs.replace(state.players[seat], **changes)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return msgspec.structs.replace(state, players=players)
