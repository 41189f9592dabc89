"""What a match of Secret Hitler is made of: options, the state, the moves and the view."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from games.contract import core
from games.contract.core import Auto
from games.contract.data import BySeat, Data, Seat

Role = Literal["liberal", "fascist", "hitler"]
Party = Literal["liberal", "fascist"]
Tiles = tuple[Party, ...]
Power = Literal["investigate", "peek", "special", "execute"]
Source = Literal["government", "chaos"]
Veto = Literal["requested", "refused", "accepted"]
Reason = Literal[
    "liberal_policies", "hitler_executed", "fascist_policies", "hitler_elected", "aborted"
]
Phase = Literal[
    "nominate",
    "discuss",
    "vote",
    "president_discard",
    "chancellor_enact",
    "veto_confirm",
    "power_investigate",
    "power_special",
    "power_execute",
    "power_ack",
    "over",
]


class Options(core.Options, frozen=True, kw_only=True):
    """The options of a match of Secret Hitler."""

    on_leave: Literal["leave", "substitute", "abort"] = "substitute"
    rebalance: bool = False
    discussion: Annotated[int, Meta(ge=0, le=180)] = 0
    """Seconds to talk before each vote."""


class Government(Data, frozen=True):
    """A president and a chancellor."""

    president: Seat
    chancellor: Seat


class AutoBy(Data, frozen=True, kw_only=True):
    """What acted instead of a hand, by what was decided; absent where a hand did."""

    nominate: Auto | UnsetType = UNSET
    discard: Auto | UnsetType = UNSET
    enact: Auto | UnsetType = UNSET
    veto: Auto | UnsetType = UNSET
    target: Auto | UnsetType = UNSET


class Session(Data, frozen=True, kw_only=True):
    """One election and what came of it, or a policy enacted by chaos (president null).

    `auto` are those whose ballots the clock cast, `auto_by` tells what else no hand decided.
    `drawn`, `passed_on` and `result` are private: a view holds them for who saw them. `result` is
    the party of an investigated seat or the three tiles of a peek.
    """

    president: Seat | None
    chancellor: Seat | None
    special: bool
    votes: BySeat[bool] | None
    passed: bool
    enacted: Party | None = None
    by: Source | None = None
    veto: Veto | None = None
    power: Power | None = None
    target: Seat | None = None
    drawn: Tiles | None = None
    passed_on: Tiles | None = None
    result: Party | Tiles | None = None
    auto: tuple[Seat, ...] = ()
    auto_by: AutoBy = AutoBy()


class State(core.State, frozen=True, kw_only=True):
    """`deck[0]` is on top. `rotation` is the last regular candidate, `candidate` the present one.

    `nominated_by` tells what named the chancellor instead of a hand.
    `votes` are the ballots of the election that runs, afterwards of the last one counted.
    `investigated` maps a seat to its investigator. `peeked_by` saw the top of the deck as it is.
    """

    options: Options
    phase: Phase
    roles: tuple[Role, ...]
    alive: tuple[bool, ...]
    deck: Tiles
    rotation: Seat
    candidate: Seat
    fascist: int
    liberal: int = 0
    tracker: int = 0
    special: bool = False
    chancellor: Seat | None = None
    nominated_by: Auto | UnsetType = UNSET
    last_elected: Government | None = None
    ready: tuple[Seat, ...] = ()
    """Who has talked enough, while a government is discussed."""
    votes: BySeat[bool] = BySeat()
    hand: Tiles = ()
    discard: Tiles = ()
    veto_refused: bool = False
    investigated: BySeat[Seat] = BySeat()
    confirmed_not_hitler: tuple[Seat, ...] = ()
    peeked_by: Seat | None = None
    autopilot: tuple[Seat, ...] = ()
    history: tuple[Session, ...] = ()
    turn_count: int = 0
    reason: Reason | None = None


class ChancellorNomination(core.Move, frozen=True):
    """The candidate names a chancellor."""

    player: Seat


class Ready(core.Move, frozen=True):
    """Enough talk about the government proposed."""


class Vote(core.Move, frozen=True):
    """For or against the government proposed."""

    ja: bool


class PresidentPolicies(core.Move, frozen=True):
    """The two of the three drawn tiles that go to the chancellor, by their places in the hand."""

    keep: tuple[int, ...]


class ChancellorPolicy(core.Move, frozen=True):
    """The tile that is enacted, by its place in the hand."""

    enact: int


class VetoRequest(core.Move, frozen=True):
    """The chancellor asks to enact neither tile."""


class VetoConfirm(core.Move, frozen=True):
    """The president's answer to that."""

    accept: bool


class InvestigateAffiliation(core.Move, frozen=True):
    """The president looks at somebody's party."""

    player: Seat


class NextPresident(core.Move, frozen=True):
    """The president names the next candidate."""

    player: Seat


class ExecutePlayer(core.Move, frozen=True):
    """The president has somebody killed."""

    player: Seat


class ExecutiveConfirmation(core.Move, frozen=True):
    """The president has seen what there was to see."""


class ComeBack(core.Move, frozen=True):
    """Takes the own seat back from the autopilot."""


Moves = (
    ChancellorNomination
    | Ready
    | Vote
    | PresidentPolicies
    | ChancellorPolicy
    | VetoRequest
    | VetoConfirm
    | InvestigateAffiliation
    | NextPresident
    | ExecutePlayer
    | ExecutiveConfirmation
    | ComeBack
)


class Known(Data, frozen=True):
    """What a seat knows of another: its role (a team mate's), or its party alone."""

    role: Role | None
    party: Party


class PlayerFacts(Data, frozen=True, kw_only=True):
    """What everybody knows of a seat."""

    alive: bool
    has_voted: bool
    autopilot: bool
    is_investigated: bool
    is_not_hitler: bool


class View(core.View, frozen=True, kw_only=True):
    """What one viewer may know of a match of Secret Hitler."""

    phase: Phase
    players: tuple[PlayerFacts, ...]
    role: Role | None
    party: Party | None
    knows: BySeat[Known]
    """Others whose role or party this viewer knows."""
    liberal: int
    fascist: int
    tracker: int
    deck_size: int
    discard_size: int
    powers: tuple[Power | None, ...]
    """The power of each fascist policy on this board."""
    candidate: Seat
    special: bool
    chancellor: Seat | None
    last_elected: Government | None
    eligible: tuple[Seat, ...]
    ready: tuple[Seat, ...]
    """Who has talked enough, while a government is discussed."""
    voted: tuple[Seat, ...]
    """Who has voted, while the vote runs."""
    votes: BySeat[bool] | None
    """Of the last election counted; null while a vote runs."""
    hand: Tiles
    """The tiles before this viewer."""
    veto_unlocked: bool
    veto_refused: bool
    power: Power | None
    targets: tuple[Seat, ...]
    peeked: Tiles | None
    """The next tiles, for the president who looked at them."""
    investigated: tuple[Seat, ...]
    confirmed_not_hitler: tuple[Seat, ...]
    history: tuple[Session, ...]
    roles: BySeat[Role] | None
    """Who everybody was, when it is over."""
    side: Party | None
    """Which has won, when it is over."""
