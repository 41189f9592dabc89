"""What Chamber is made of: options, state, moves, events, and what a viewer may know."""

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
"""The seven items of every table; `shoot_air` is dealt only by option."""


class Options(BaseOptions, frozen=True, kw_only=True):
    """The options of a match of Chamber; 0 turns a limit or a number of copies off."""

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
    """Highest share of one kind of shells that a Reload may bring about, in percent."""
    max_rounds: Annotated[int, Meta(ge=0, le=200)] = 0


class Player(Data, frozen=True, kw_only=True):
    """A seat. All of it is public; nothing secret may be added here."""

    lives: int
    items: tuple[Item, ...] = ()
    is_skipped: bool = False
    skip_immune: bool = False


class Rounds(Data, frozen=True, kw_only=True):
    """How many live and blank rounds."""

    live: int
    blank: int


class Fired(Data, frozen=True, kw_only=True):
    """A round that has left the chamber; `username` is null when it went into the air."""

    shooter: Seat
    username: Viewer
    ammo_type: Ammo
    damage: int
    forfeit: bool


class Aim(Data, frozen=True, kw_only=True):
    """What the shooter has going; begins anew with every turn."""

    shots_left: int = 1
    counted: int = 0
    quickshot: bool = False
    double_damage: bool = False
    peeked: bool = False
    """The shooter has seen the next round. Nobody else can: checking is done on one's turn,
    and a turn ends only with a round drawn or the seat gone."""


AT_REST = Aim(shots_left=0)


class State(BaseState, frozen=True, kw_only=True):
    options: Options
    phase: Phase
    round: int
    turn_count: int
    players: tuple[Player, ...]
    loaded: Rounds
    """What this round was loaded with; in the Rebalancer window, what will be."""
    ammo: tuple[Ammo, ...] | None
    """The chamber, next round first. Hidden. None while it is not loaded."""
    fired: tuple[Fired, ...]
    waiting: tuple[Seat, ...]
    aim: Aim
    fallen: tuple[Seat, ...]
    """Who is out, in the order they went."""
    reason: Reason | None
    rebalance_cap: int = 0
    """As in the options. 0 in matches that began before there was this option."""


class View(BaseView, frozen=True, kw_only=True):
    """What one viewer may know of a match of Chamber."""

    phase: Phase
    players: tuple[Player, ...]
    round: int
    live: int
    """Left in the chamber; while it is not loaded, what will be in it so far. As `blank`."""
    blank: int
    loaded: Rounds
    """With how many this round began."""
    fired: tuple[Fired, ...]
    """In this round, oldest first."""
    shooter: Viewer
    shots_left: int
    items_open: bool
    quickshot: bool
    double_damage: bool
    waiting: tuple[Seat, ...]
    """Who may still add rounds."""
    rebalance_cap: int
    """Highest share of one kind that a Rebalancer may bring about, in percent; 0: no limit."""
    known_next: Ammo | None
    """The next round, for who has looked at it."""
    ammo_deck: tuple[Ammo, ...] | None
    """What was left, when it is over."""


# Moves (docs/rules/chamber.md §7).


class ShootPlayer(Move, frozen=True):
    """Fires the next round at somebody, oneself included."""

    username: Seat


class UseSkipItem(Move, frozen=True):
    """Somebody's next turn is skipped."""

    target: Seat


class UseDoubleDamageItem(Move, frozen=True):
    """The next round takes two lives, if it is live."""


class UseChamberCheckItem(Move, frozen=True):
    """Looks at the next round."""


class UseRebalancerItem(Move, frozen=True):
    """Adds rounds of one kind, before the chamber is loaded."""

    ammo_type: Ammo


class UseQuickshotItem(Move, frozen=True):
    """Fires twice in this turn."""


class UseStealItem(Move, frozen=True):
    """Takes an item from somebody and uses it at once; `skipTarget` goes with a stolen skip."""

    target: Seat
    item: Item
    skip_target: Seat | None = None


class UseAddLifeItem(Move, frozen=True):
    """Adds a life to the own ones."""


class UseShootAirItem(Move, frozen=True):
    """Fires the next round into the air."""


class PassRebalance(Move, frozen=True):
    """Adds no rounds."""


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


# Events. The echo of a move bears its name on the wire.


class RoundStarted(Event, frozen=True):
    """A round begins with so many live and blank rounds."""

    round: int
    live: int
    blank: int


class ItemsDealt(Event, frozen=True):
    """Everybody has new items; the old ones are gone."""

    items: BySeat[tuple[Item, ...]]


class Rebalanced(Echo, frozen=True, tag="UseRebalancerItem"):
    """Somebody adds rounds of one kind; `count` is how many came in."""

    username: Seat
    ammo_type: Ammo
    count: int


class RebalancePassed(Echo, frozen=True, tag="PassRebalance"):
    """Somebody adds no rounds."""

    username: Seat


class ChamberLoaded(Event, frozen=True):
    """The chamber is loaded and shuffled."""

    live: int
    blank: int


class Shot(Echo, frozen=True, tag="ShootPlayer"):
    """A round was fired at `username`; `forfeit`: because time ran out."""

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
    """Somebody's next turn will be skipped."""

    username: Seat
    target: Seat


class DoubleDamageUsed(Echo, frozen=True, tag="UseDoubleDamageItem"):
    """The next round takes two lives, if it is live."""

    username: Seat


class QuickshotUsed(Echo, frozen=True, tag="UseQuickshotItem"):
    """Somebody fires twice in this turn."""

    username: Seat


class ChamberChecked(Echo, frozen=True, tag="UseChamberCheckItem"):
    """Somebody has looked at the next round."""

    username: Seat


class ChamberSeen(Event, frozen=True, tag="UseChamberCheckResult"):
    """What the next round is, for who looked at it alone."""

    ammo_type: Ammo


class LifeAdded(Echo, frozen=True, tag="UseAddLifeItem"):
    """Somebody has a life more; `lives` is how many there are now."""

    username: Seat
    lives: int


class ItemStolen(Echo, frozen=True, tag="UseStealItem"):
    """Somebody has taken an item; what it does follows."""

    username: Seat
    target: Seat
    item: Item
    skip_target: Viewer


class TurnSkipped(Event, frozen=True):
    """Somebody's turn was skipped."""

    username: Seat


class PlayerEliminated(Event, frozen=True):
    """Somebody is out; `by` is null for one who left."""

    username: Seat
    by: Viewer


class ItemsLooted(Event, frozen=True):
    """Who fired has the items of who was eliminated."""

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


# What anybody can read off a state.


def alive(state: State) -> tuple[Seat, ...]:
    """Who is in, in seat order."""
    return tuple(Seat(at) for at, player in enumerate(state.players) if player.lives)


def current(state: State) -> Seat:
    """The seat the turn count points at; it is its turn only in the phase `turn`."""
    return Seat(state.turn_count % len(state.players))


def next_up(players: tuple[Player, ...], after: Seat) -> Seat | None:
    """The first seat after this one that is in and not skipped; it may be that seat again."""
    n = len(players)
    for step in range(1, n + 1):
        seat = Seat((after + step) % n)
        if players[seat].lives and not players[seat].is_skipped:
            return seat
    return None


def remaining(state: State) -> Rounds:
    """What is left in the chamber, or will be in it once it is loaded."""
    if state.ammo is None:
        return state.loaded
    return Rounds(live=state.ammo.count("live"), blank=state.ammo.count("blank"))


def room_for(ammo: Ammo, live: int, blank: int, cap: int, most: int) -> int:
    """Return how many rounds of a kind a Rebalancer may add to these: `most`, or what the cap
    leaves room for, which is negative if there are too many already."""
    same, other = (live, blank) if ammo == "live" else (blank, live)
    return min(most, cap * other // (100 - cap) - same) if cap else most


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """The state with some facts of one seat changed."""
    player = msgspec.structs.replace(state.players[seat], **changes)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return msgspec.structs.replace(state, players=players)
