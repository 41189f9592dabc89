"""What a match of Secret Hitler is made of: options, the state, the moves and the view."""

from typing import Literal

from games.rules import core
from games.rules.data import BySeat, Data, Seat

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
    on_leave: Literal["leave", "substitute", "abort"] = "leave"
    rebalance: bool = False


class Government(Data, frozen=True):
    president: Seat
    chancellor: Seat


class Session(Data, frozen=True, kw_only=True):
    """One election and what came of it, or a policy enacted by chaos (president None).

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


class State(core.State, frozen=True, kw_only=True):
    """`deck[0]` is on top. `rotation` is the last regular candidate, `candidate` the present one.

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
    last_elected: Government | None = None
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
    player: Seat


class Vote(core.Move, frozen=True):
    ja: bool


class PresidentPolicies(core.Move, frozen=True):
    """The two of the three drawn tiles that go to the chancellor, by their places in the hand."""

    keep: tuple[int, ...]


class ChancellorPolicy(core.Move, frozen=True):
    enact: int


class VetoRequest(core.Move, frozen=True):
    pass


class VetoConfirm(core.Move, frozen=True):
    accept: bool


class InvestigateAffiliation(core.Move, frozen=True):
    player: Seat


class NextPresident(core.Move, frozen=True):
    player: Seat


class ExecutePlayer(core.Move, frozen=True):
    player: Seat


class ExecutiveConfirmation(core.Move, frozen=True):
    pass


class ComeBack(core.Move, frozen=True):
    pass


Moves = (
    ChancellorNomination
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
    alive: bool
    has_voted: bool
    autopilot: bool
    is_investigated: bool
    is_not_hitler: bool


class View(core.View, frozen=True, kw_only=True):
    phase: Phase
    players: tuple[PlayerFacts, ...]
    role: Role | None
    party: Party | None
    knows: BySeat[Known]
    liberal: int
    fascist: int
    tracker: int
    deck_size: int
    discard_size: int
    powers: tuple[Power | None, ...]
    candidate: Seat
    special: bool
    chancellor: Seat | None
    last_elected: Government | None
    eligible: tuple[Seat, ...]
    voted: tuple[Seat, ...]
    votes: BySeat[bool] | None
    hand: Tiles
    veto_unlocked: bool
    veto_refused: bool
    power: Power | None
    targets: tuple[Seat, ...]
    peeked: Tiles | None
    investigated: tuple[Seat, ...]
    confirmed_not_hitler: tuple[Seat, ...]
    history: tuple[Session, ...]
    roles: BySeat[Role] | None
    side: Party | None
