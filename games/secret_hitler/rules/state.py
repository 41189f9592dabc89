"""Data types of Secret Hitler: options, state, moves and view."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from games.contract import core
from games.contract.core import Auto
from games.contract.data import AtMost, BySeat, Data, Seat, Values

Role = Literal["liberal", "fascist", "hitler"]
Party = Literal["liberal", "fascist"]
Tiles = Annotated[tuple[Party, ...], AtMost(3)]
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
    """Seconds of discussion before each vote."""


class Government(Data, frozen=True):
    """A president and a chancellor."""

    president: Seat
    chancellor: Seat


class AutoBy(Data, frozen=True, kw_only=True):
    """Causes of automatic decisions. A field is absent if the player decided."""

    nominate: Auto | UnsetType = UNSET
    discard: Auto | UnsetType = UNSET
    enact: Auto | UnsetType = UNSET
    veto: Auto | UnsetType = UNSET
    target: Auto | UnsetType = UNSET


class Session(Data, frozen=True, kw_only=True):
    """An election and its consequences, or a policy enacted by chaos (`president` is null).

    `auto` lists seats whose ballots were cast on timeout, `autoBy` the causes of other automatic
    decisions. `drawn`, `passedOn` and `result` are private: a view has them only for those who saw
    them. `result` is the party of an investigated seat or the three tiles of a peek.
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
    """State of a match. `deck[0]` is the top tile.

    `rotation` is the last regular candidate, `candidate` the current one.
    `nominated_by` is the cause of an automatic nomination.
    `votes` are the ballots of the current election, or else of the last one counted.
    `investigated` maps a seat to its investigator. `peeked_by` has seen the current top tiles.
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
    """Players who are ready to vote, during a discussion."""
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
    """Nominate a chancellor, as the candidate."""

    player: Seat


class Ready(core.Move, frozen=True):
    """End your discussion of the proposed government."""


class Vote(core.Move, frozen=True):
    """Vote for or against the proposed government."""

    ja: bool


class PresidentPolicies(core.Move, frozen=True):
    """Pass two of the three drawn tiles to the chancellor, as indexes into `hand`."""

    keep: Annotated[tuple[int, ...], Values((0, 1, 2), sizes=(2,))]


class ChancellorPolicy(core.Move, frozen=True):
    """Enact a tile, as an index into `hand`."""

    enact: Annotated[int, Values((0, 1))]


class VetoRequest(core.Move, frozen=True):
    """Ask to enact neither tile, as the chancellor."""


class VetoConfirm(core.Move, frozen=True):
    """Answer a veto request, as the president."""

    accept: bool


class InvestigateAffiliation(core.Move, frozen=True):
    """Look at a player's party, as the president."""

    player: Seat


class NextPresident(core.Move, frozen=True):
    """Choose the next candidate, as the president."""

    player: Seat


class ExecutePlayer(core.Move, frozen=True):
    """Execute a player, as the president."""

    player: Seat


class ExecutiveConfirmation(core.Move, frozen=True):
    """Confirm that you have seen the result of your power, as the president."""


class ComeBack(core.Move, frozen=True):
    """Take your seat back from the autopilot."""


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
    """Knowledge about another seat: the role of a teammate, or only the party."""

    role: Role | None
    party: Party


class PlayerFacts(Data, frozen=True, kw_only=True):
    """The public facts of a seat."""

    alive: bool
    has_voted: bool
    autopilot: bool
    is_investigated: bool
    is_not_hitler: bool


class View(core.View, frozen=True, kw_only=True):
    """A match of Secret Hitler as one viewer may see it."""

    phase: Phase
    players: tuple[PlayerFacts, ...]
    role: Role | None
    party: Party | None
    knows: BySeat[Known]
    """Other players whose role or party this viewer knows."""
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
    """Players who are ready to vote, during a discussion."""
    voted: tuple[Seat, ...]
    """Players who have voted, while a vote is open."""
    votes: BySeat[bool] | None
    """Ballots of the last election counted. Null while a vote is open."""
    hand: Tiles
    """The tiles this viewer has to choose from."""
    veto_unlocked: bool
    veto_refused: bool
    power: Power | None
    targets: tuple[Seat, ...]
    peeked: Tiles | None
    """The next tiles, for the president who has seen them."""
    investigated: tuple[Seat, ...]
    confirmed_not_hitler: tuple[Seat, ...]
    history: tuple[Session, ...]
    roles: BySeat[Role] | None
    """All roles, once the match is over."""
    side: Party | None
    """The winning side, once the match is over."""
