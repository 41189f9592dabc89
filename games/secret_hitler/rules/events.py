"""Events of Secret Hitler. The tag is the wire name (docs/rules/secret_hitler.md §6)."""

from msgspec import UNSET, UnsetType

from games.contract.core import Echo, Event
from games.contract.data import BySeat, Seat
from games.secret_hitler.rules.state import Known, Party, Power, Role, Source, Tiles


class RoleGiven(Event, frozen=True):
    """The role of a seat and the players it knows, sent only to that seat."""

    role: Role
    party: Party
    knows: BySeat[Known]


class CandidateCalled(Event, frozen=True, tag="PresidentNominate"):
    """A candidate has to nominate one of `eligible` as chancellor."""

    candidate: Seat
    eligible: tuple[Seat, ...]
    special: bool


class ChancellorNominated(Echo, frozen=True, tag="ChancellorVote"):
    """A government is proposed, to be voted on."""

    president: Seat
    chancellor: Seat


class SaidReady(Echo, frozen=True, tag="PlayerReady"):
    """A player is ready to vote on the proposed government."""

    username: Seat


class VoteOpened(Event, frozen=True):
    """The discussion is over and the vote begins."""


class Voted(Echo, frozen=True):
    """A player has voted. The ballot is still secret."""

    username: Seat


class VotesRevealed(Event, frozen=True):
    """The ballots of an election.

    `auto` lists seats whose ballots were cast on timeout. `suspect` is a chancellor elected late
    in the game: everybody now learns whether this player is Hitler. The field is absent otherwise.
    """

    votes: BySeat[bool]
    ja: int
    nein: int
    passed: bool
    auto: tuple[Seat, ...] = ()
    suspect: Seat | UnsetType = UNSET


class TrackerMoved(Event, frozen=True):
    """The election tracker has a new value."""

    tracker: int


class NotHitlerConfirmed(Event, frozen=True, tag="NotHitler"):
    """A chancellor elected late in the game is not Hitler."""

    username: Seat


class PoliciesDrawn(Event, frozen=True):
    """The three drawn tiles, sent only to the president."""

    policies: Tiles


class PoliciesChosen(Echo, frozen=True):
    """The president has passed two tiles on. They are still secret."""

    username: Seat


class PoliciesPassed(Event, frozen=True):
    """The two tiles passed on, sent only to the chancellor."""

    policies: Tiles


class PolicyEnacted(Echo, frozen=True):
    """A policy has been enacted. `liberal` and `fascist` are the numbers enacted so far."""

    policy: Party
    by: Source
    liberal: int
    fascist: int


class VetoRequested(Echo, frozen=True):
    """The chancellor asks to enact neither tile."""

    username: Seat


class VetoAnswered(Echo, frozen=True):
    """The president has answered the veto request."""

    username: Seat
    accept: bool


class DeckReshuffled(Event, frozen=True):
    """The discarded tiles were shuffled into the deck. `size` is its new size."""

    size: int


class PowerGranted(Event, frozen=True):
    """The president has to use a power, on one of `targets`."""

    username: Seat
    power: Power
    targets: tuple[Seat, ...]


class PlayerInvestigated(Echo, frozen=True):
    """The president has investigated a player."""

    username: Seat
    target: Seat


class PartyShown(Event, frozen=True, tag="InvestigationResult"):
    """The party of the investigated player, sent only to the president."""

    target: Seat
    party: Party


class DeckPeeked(Event, frozen=True, tag="PeekResult"):
    """The next three tiles, sent only to the president."""

    policies: Tiles


class ExecutiveConfirmed(Echo, frozen=True):
    """The president has seen the result of the power."""

    username: Seat


class SpecialElectionCalled(Echo, frozen=True, tag="SpecialElection"):
    """The president has chosen the next candidate."""

    username: Seat
    target: Seat


class PlayerExecuted(Echo, frozen=True):
    """A player has been executed. The match ends if it was Hitler."""

    username: Seat
    target: Seat


class AutopilotSet(Echo, frozen=True, tag="Autopilot"):
    """The autopilot of an abandoned seat was turned on or off."""

    username: Seat
    on: bool


class RolesRevealed(Event, frozen=True):
    """All roles, and the side that has won, or null if none has."""

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
