"""Events of Secret Hitler. A tag is the name on the wire (docs/rules/secret_hitler.md §6)."""

from msgspec import UNSET, UnsetType

from games.contract.core import Echo, Event
from games.contract.data import BySeat, Seat
from games.secret_hitler.rules.state import Known, Party, Power, Role, Source, Tiles


class RoleGiven(Event, frozen=True):
    """Who a seat is, and whom it knows, for that seat alone."""

    role: Role
    party: Party
    knows: BySeat[Known]


class CandidateCalled(Event, frozen=True, tag="PresidentNominate"):
    """A candidate has to name a chancellor, one of `eligible`."""

    candidate: Seat
    eligible: tuple[Seat, ...]
    special: bool


class ChancellorNominated(Echo, frozen=True, tag="ChancellorVote"):
    """A government is proposed: everybody votes."""

    president: Seat
    chancellor: Seat


class SaidReady(Echo, frozen=True, tag="PlayerReady"):
    """Somebody has talked enough about the government proposed."""

    username: Seat


class VoteOpened(Event, frozen=True):
    """Enough was said: everybody votes."""


class Voted(Echo, frozen=True):
    """Somebody has voted, nobody knows how."""

    username: Seat


class VotesRevealed(Event, frozen=True):
    """How everybody voted; `auto` are those whose ballots the clock cast. `suspect` is a chancellor
    elected late in the game: everybody now learns whether it is Hitler. Absent otherwise."""

    votes: BySeat[bool]
    ja: int
    nein: int
    passed: bool
    auto: tuple[Seat, ...] = ()
    suspect: Seat | UnsetType = UNSET


class TrackerMoved(Event, frozen=True):
    """The election tracker stands here now."""

    tracker: int


class NotHitlerConfirmed(Event, frozen=True, tag="NotHitler"):
    """The chancellor was elected late in the game, and is not Hitler."""

    username: Seat


class PoliciesDrawn(Event, frozen=True):
    """The three tiles, for the president alone."""

    policies: Tiles


class PoliciesChosen(Echo, frozen=True):
    """The president has passed two tiles on, nobody knows which."""

    username: Seat


class PoliciesPassed(Event, frozen=True):
    """The two tiles, for the chancellor alone."""

    policies: Tiles


class PolicyEnacted(Echo, frozen=True):
    """A policy is in force; `liberal` and `fascist` count those that are."""

    policy: Party
    by: Source
    liberal: int
    fascist: int


class VetoRequested(Echo, frozen=True):
    """The chancellor wants neither tile."""

    username: Seat


class VetoAnswered(Echo, frozen=True):
    """What the president says to that."""

    username: Seat
    accept: bool


class DeckReshuffled(Event, frozen=True):
    """The deck and the discarded tiles are one deck of this size."""

    size: int


class PowerGranted(Event, frozen=True):
    """The president has a power to use, on one of `targets`."""

    username: Seat
    power: Power
    targets: tuple[Seat, ...]


class PlayerInvestigated(Echo, frozen=True):
    """The president looks at somebody's party."""

    username: Seat
    target: Seat


class PartyShown(Event, frozen=True, tag="InvestigationResult"):
    """That party, for the president alone."""

    target: Seat
    party: Party


class DeckPeeked(Event, frozen=True, tag="PeekResult"):
    """The next three tiles, for the president alone."""

    policies: Tiles


class ExecutiveConfirmed(Echo, frozen=True):
    """The president has seen what there was to see."""

    username: Seat


class SpecialElectionCalled(Echo, frozen=True, tag="SpecialElection"):
    """The president names the next candidate."""

    username: Seat
    target: Seat


class PlayerExecuted(Echo, frozen=True):
    """Somebody is dead, and it was not Hitler unless the match ends."""

    username: Seat
    target: Seat


class AutopilotSet(Echo, frozen=True, tag="Autopilot"):
    """A seat whose person left is played by itself, or is not any more."""

    username: Seat
    on: bool


class RolesRevealed(Event, frozen=True):
    """Who everybody was, and which side has won (null: none)."""

    side: Party | None
    roles: BySeat[Role]


Events = (
    RoleGiven
    | CandidateCalled
    | ChancellorNominated
    | SaidReady
    | VoteOpened
    | Voted
    | VotesRevealed
    | TrackerMoved
    | NotHitlerConfirmed
    | PoliciesDrawn
    | PoliciesChosen
    | PoliciesPassed
    | PolicyEnacted
    | VetoRequested
    | VetoAnswered
    | DeckReshuffled
    | PowerGranted
    | PlayerInvestigated
    | PartyShown
    | DeckPeeked
    | ExecutiveConfirmed
    | SpecialElectionCalled
    | PlayerExecuted
    | AutopilotSet
    | RolesRevealed
)
