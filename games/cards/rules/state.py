"""Data types of Cards: options, state, moves, events and view."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.cards.rules.texts import BlackCard, CardId, Cards, Stock
from games.contract import core
from games.contract.core import Echo, Event, Move, OnLeave
from games.contract.data import BySeat, Data, Seat, Values, Viewer

Phase = Literal["play", "vote", "results", "over"]
Reason = Literal["points", "max_rounds", "inactive", "not_enough_players"]

PLAYERS = (3, 20)

VetoedId = Annotated[CardId, Meta(max_length=48)]
"""Maximum length of an id: a slug, a colon and a number."""


class Options(core.Options, frozen=True, kw_only=True):
    """The options of a match. `packs` are slugs."""

    on_leave: OnLeave = "leave"
    hand_size: Annotated[int, Meta(ge=3, le=15)] = 7
    points_to_win: Annotated[int, Meta(ge=0, le=50)] = 5
    max_rounds: Annotated[int, Meta(ge=1, le=200)] = 50
    discard_cost: Annotated[int, Meta(ge=0, le=5)] = 1
    allow_late_join: bool = False
    min_players_to_continue: Annotated[int, Meta(ge=2, le=20)] = 3
    reveal_ballots: bool = False
    packs: Annotated[tuple[str, ...], Meta(min_length=1, max_length=20)] = ("own",)
    vetoed: Annotated[tuple[VetoedId, ...], Meta(max_length=200)] = ()
    """Ids of cards this table does not want to see."""


class Stocked(Options, frozen=True, kw_only=True):
    """Options with the contents of their packs. Clients can send only `Options`."""

    stock: Stock


class ScoredPlay(Data, frozen=True):
    """A play after its round: who played it, and how many votes it got."""

    play_id: int
    cards: Cards
    author: Seat
    votes: int


class Summary(Data, frozen=True, kw_only=True):
    """A finished round. A void round has no plays, since they were never shown."""

    round: int
    black: BlackCard
    plays: tuple[ScoredPlay, ...]
    winners: tuple[Seat, ...]
    ballots: BySeat[int] | None


Numbers = tuple[int, ...]
"""Cards, as numbers in the stock of the match."""


class CountedPlay(Data, frozen=True):
    """A `ScoredPlay` that refers to its cards by number."""

    play_id: int
    cards: Numbers
    author: Seat
    votes: int


class LastRound(Data, frozen=True, kw_only=True):
    """A `Summary` that refers to its cards by number."""

    round: int
    black: int
    plays: tuple[CountedPlay, ...]
    winners: tuple[Seat, ...]
    ballots: BySeat[int] | None


class State(core.State, frozen=True, kw_only=True):
    """State of a match, with cards as numbers in the stock. Every card is in exactly one place.

    The first card of a deck is its top. `order[playId]` is the author of that play.
    """

    options: Options
    stock: Stock
    """The cards, with the texts the match was started with."""
    round: int
    phase: Phase
    black_deck: Numbers
    black_discard: Numbers = ()
    white_deck: Numbers
    white_discard: Numbers = ()
    active_black: int | None = None
    hands: BySeat[Numbers]
    scores: BySeat[int]
    gone: tuple[Seat, ...] = ()
    joining: tuple[Seat, ...] = ()
    plays: BySeat[Numbers] = BySeat()
    order: tuple[Seat, ...] = ()
    votes: BySeat[int] = BySeat()
    continued: tuple[Seat, ...] = ()
    last_round: LastRound | None = None
    void_rounds: int = 0
    ended: Reason | None = None

    @property
    def black(self) -> BlackCard | None:
        """The prompt of this round, or None if no prompt is on the table."""
        return None if self.active_black is None else self.stock.black(self.active_black)

    @property
    def in_game(self) -> tuple[Seat, ...]:
        """Seats that have not left, in seat order."""
        return tuple(seat for seat in self.hands if seat not in self.gone)

    @property
    def dealt(self) -> tuple[Seat, ...]:
        """Seats that take part in this round."""
        return tuple(seat for seat in self.hands if self.is_dealt(seat))

    def is_dealt(self, seat: Seat) -> bool:
        """Return whether a seat takes part: not gone, and not waiting for its first hand."""
        return seat not in self.gone and seat not in self.joining


class PlayWhiteCards(Move, frozen=True):
    """Play cards to fill the blanks, in order."""

    cards: Annotated[
        tuple[CardId, ...], Values(range(9), sizes=(1, 2, 3), is_ordered=True, among="hand")
    ]


class Vote(Move, frozen=True):
    """Vote for the best of the other players' plays."""

    play_id: Annotated[int, Values(range(20))]


class DiscardCards(Move, frozen=True):
    """Discard cards from your hand, at the cost of points."""

    cards: Annotated[tuple[CardId, ...], Values(range(9), sizes=(1,), among="hand")]


class Continue(Move, frozen=True):
    """Confirm that you have read the result."""


Moves = PlayWhiteCards | Vote | DiscardCards | Continue


class ShownPlay(Data, frozen=True):
    """A play without its author."""

    play_id: int
    cards: Cards


class BlackCardDrawn(Event, frozen=True):
    """A round begins with this prompt."""

    round: int
    card: BlackCard


class HandDrawn(Event, frozen=True):
    """The new cards of a seat, sent to that seat only."""

    cards: Cards


class PlayerPlayed(Echo, frozen=True):
    """A player has played. The cards are still hidden."""

    username: Seat


class PlaysRevealed(Event, frozen=True):
    """The plays are shown without their authors."""

    plays: tuple[ShownPlay, ...]


class PlayerVoted(Echo, frozen=True):
    """A player has voted. The vote is still hidden."""

    username: Seat


class AuthorsShown(Event, frozen=True):
    """The authors of the plays, by `playId`, sent to those who have voted."""

    authors: dict[str, Seat]


class CardsDiscarded(Echo, frozen=True):
    """A player has paid to discard cards. `score` is their remaining score."""

    username: Seat
    count: int
    score: int


class RoundResult(Event, frozen=True, kw_only=True):
    """A round is over. The fields are those of `Summary`."""

    round: int
    black: BlackCard
    plays: tuple[ScoredPlay, ...]
    winners: tuple[Seat, ...]
    ballots: BySeat[int] | None


class RoundVoid(Event, frozen=True):
    """A round without a result: fewer than two players played."""

    round: int


class Continued(Echo, frozen=True):
    """A player has read the result."""

    username: Seat


class SeatJoined(Echo, frozen=True):
    """A latecomer has joined and is dealt in from the next round."""

    username: Seat


Events = (
    BlackCardDrawn
    | HandDrawn
    | PlayerPlayed
    | PlaysRevealed
    | PlayerVoted
    | AuthorsShown
    | CardsDiscarded
    | RoundResult
    | RoundVoid
    | Continued
    | SeatJoined
)


class ViewPlay(Data, frozen=True, kw_only=True):
    """A play as one viewer sees it. `author` is null while this viewer may not know it."""

    play_id: int | None
    cards: Cards
    mine: bool
    author: Viewer


class DeckSizes(Data, frozen=True, kw_only=True):
    """Numbers of cards in the decks and discard piles."""

    black: int
    black_discard: int
    white: int
    white_discard: int


class PlayerFacts(Data, frozen=True, kw_only=True):
    """The public facts of a seat."""

    score: int
    hand_size: int
    has_played: bool
    has_voted: bool
    is_joining: bool


class View(core.View, frozen=True, kw_only=True):
    """A match as one viewer may see it."""

    phase: Phase
    players: tuple[PlayerFacts, ...]
    round: int
    void_rounds: int
    black: BlackCard | None
    hand: Cards
    plays: tuple[ViewPlay, ...]
    my_vote: int | None
    played: tuple[Seat, ...]
    voted: tuple[Seat, ...]
    continued: tuple[Seat, ...]
    last_round: Summary | None
    deck_sizes: DeckSizes
