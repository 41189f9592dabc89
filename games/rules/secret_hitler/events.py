"""What can happen in Secret Hitler. A tag is the seed's packet name where it differs."""

from games.rules.core import Event
from games.rules.data import BySeat, Seat
from games.rules.secret_hitler.state import Known, Party, Power, Role, Source, Tiles


class RoleGiven(Event, frozen=True):
    role: Role
    party: Party
    knows: BySeat[Known]


class CandidateCalled(Event, frozen=True, tag="PresidentNominate"):
    candidate: Seat
    eligible: tuple[Seat, ...]
    special: bool


class ChancellorNominated(Event, frozen=True, tag="ChancellorVote"):
    president: Seat
    chancellor: Seat


class Voted(Event, frozen=True):
    username: Seat


class VotesRevealed(Event, frozen=True):
    votes: BySeat[bool]
    ja: int
    nein: int
    passed: bool


class TrackerMoved(Event, frozen=True):
    tracker: int


class NotHitlerConfirmed(Event, frozen=True, tag="NotHitler"):
    username: Seat


class PoliciesDrawn(Event, frozen=True):
    policies: Tiles


class PoliciesChosen(Event, frozen=True):
    username: Seat


class PoliciesPassed(Event, frozen=True):
    policies: Tiles


class PolicyEnacted(Event, frozen=True):
    policy: Party
    by: Source
    liberal: int
    fascist: int


class VetoRequested(Event, frozen=True):
    username: Seat


class VetoAnswered(Event, frozen=True):
    username: Seat
    accept: bool


class DeckReshuffled(Event, frozen=True):
    size: int


class PowerGranted(Event, frozen=True):
    username: Seat
    power: Power
    targets: tuple[Seat, ...]


class PlayerInvestigated(Event, frozen=True):
    username: Seat
    target: Seat


class PartyShown(Event, frozen=True, tag="InvestigationResult"):
    target: Seat
    party: Party


class DeckPeeked(Event, frozen=True, tag="PeekResult"):
    policies: Tiles


class ExecutiveConfirmed(Event, frozen=True):
    username: Seat


class SpecialElectionCalled(Event, frozen=True, tag="SpecialElection"):
    username: Seat
    target: Seat


class PlayerExecuted(Event, frozen=True):
    username: Seat
    target: Seat


class AutopilotSet(Event, frozen=True, tag="Autopilot"):
    username: Seat
    on: bool


class RolesRevealed(Event, frozen=True):
    side: Party | None
    roles: BySeat[Role]


Events = (
    RoleGiven
    | CandidateCalled
    | ChancellorNominated
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
