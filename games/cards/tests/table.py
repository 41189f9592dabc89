"""A table of Cards for tests, with custom packs, sorted decks, and moves by seat letter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.cards import GAME
from games.cards.rules.packs import Answer, Pack, Prompt
from games.cards.rules.state import (
    Continue,
    DiscardCards,
    Options,
    PlayWhiteCards,
    State,
    Stocked,
    Vote,
)
from games.cards.rules.texts import Stock, Texts, WhiteCard, texts_of
from games.contract.core import Event, Refused, Told
from games.contract.data import BySeat, Seat, Viewer
from games.contract.luck import Luck, ScriptedLuck

A, B, C, D, E = (Seat(at) for at in range(5))


def pack(prompts: tuple[tuple[int, int], ...] = ((1, 0),), answers: int = 100) -> Pack:
    """Return prompts by (cardsToPick, cardsToDraw), numbered from 1, and answers from 101."""
    return Pack(
        slug="t",
        name="Test",
        language="en",
        prompts=tuple(
            Prompt(at, f"prompt {at}", pick, draw) for at, (pick, draw) in enumerate(prompts, 1)
        ),
        answers=tuple(Answer(at, f"answer {at}") for at in range(101, 101 + answers)),
    )


def stocked(cards: Pack, **options: Any) -> Stocked:
    """Return options with this pack, including its cards."""
    return Stocked(**options, packs=(cards.slug,), stock=Stock([texts_of(cards)]))


def w(number: int) -> str:
    """Return the id of an answer: w(1) is the first."""
    return f"t:{100 + number}"


class Table:
    """A mutable match. Each step replaces `state` and appends its events to `told`."""

    def __init__(
        self,
        n: int = 4,
        prompts: tuple[tuple[int, int], ...] = ((1, 0),),
        answers: int = 100,
        **options: Any,
    ) -> None:
        luck = ScriptedLuck(black=[range(len(prompts))], white=[range(answers)])
        change = GAME.rules.setup(n, stocked(pack(prompts, answers), **options), luck)
        self.state: State = change.state
        self.told: list[Told] = list(change.told)
        self.luck: Luck = Luck(b"test", 0)

    def play(self, seat: Seat, *ids: str) -> Table:
        """Play these cards, or the first ones in hand."""
        black = self.state.black
        assert black is not None
        cards = ids or self.hand(seat)[: black.cards_to_pick]
        return self.move(seat, PlayWhiteCards(cards))

    def all_play(self) -> Table:
        for seat in GAME.rules.awaited(self.state):
            self.play(seat)
        return self

    def vote(self, seat: Seat, author: Seat) -> Table:
        """Vote for the play of `author`."""
        return self.move(seat, Vote(self.state.order.index(author)))

    def votes(self, *authors: Seat) -> Table:
        """Cast the votes of the awaited seats, in seat order."""
        for seat, author in zip(GAME.rules.awaited(self.state), authors, strict=True):
            self.vote(seat, author)
        return self

    def discard(self, seat: Seat, *ids: str) -> Table:
        return self.move(seat, DiscardCards(ids))

    def go_on(self) -> Table:
        """Continue for every seat after the result."""
        for seat in self.state.dealt:
            self.move(seat, Continue())
        return self

    def move(self, seat: Seat, move: Any) -> Table:
        return self._take(GAME.rules.apply(self.state, seat, move, self.luck))

    def lapse(self) -> Table:
        return self._take(GAME.rules.lapse(self.state, self.luck))

    def leave(self, seat: Seat) -> Table:
        return self._take(GAME.rules.leave(self.state, seat, self.luck))

    def join(self) -> bool:
        change = GAME.rules.join(self.state, self.luck)
        if change is not None:
            self._take(change)
        return change is not None

    def scored(self, *scores: int) -> Table:
        """Set the scores."""
        points = BySeat({Seat(at): score for at, score in enumerate(scores)})
        return self.set(scores=points)

    def set(self, **changes: Any) -> Table:
        self.state = replaced(self.state, **changes)
        return self

    def add(self, *cards: WhiteCard) -> tuple[int, ...]:
        """Add cards of another pack to the stock and return their numbers."""
        stock = self.state.stock
        texts = Texts("more", (), cards)
        first = sum(map(len, stock.parts))
        self.set(stock=Stock((*stock.parts, texts)))
        return tuple(first + texts.white.index(card) for card in cards)

    def hand(self, seat: Seat) -> tuple[str, ...]:
        return self.ids(self.state.hands[seat])

    def ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of these answers."""
        return tuple(card.id for card in self.state.stock.whites(numbers))

    def view(self, viewer: Viewer) -> Any:
        return GAME.rules.view(self.state, viewer)

    def offered(self, seat: Seat) -> list[str]:
        return [offer.move for offer in GAME.rules.offers(self.state, seat)]

    def heard(self, viewer: Viewer) -> list[Event]:
        """Return all events this viewer has received since the start."""
        return [told.event for told in self.told if told.to is None or viewer in told.to]

    def scores(self) -> list[int]:
        return list(self.state.scores.values())

    def refusal(self, seat: Seat, move: Any) -> str:
        """Return the code of the refusal of this move, and check that the state is unchanged."""
        before = self.state
        try:
            self.move(seat, move)
        except Refused as refused:
            assert self.state is before
            return refused.code
        raise AssertionError(f"{move} was accepted")

    def _take(self, change: Any) -> Table:
        self.state = change.state
        self.told.extend(change.told)
        return self


def replaced(state: State, **changes: Any) -> State:
    """Return the state with some fields replaced."""
    fields = {name: getattr(state, name) for name in state.__struct_fields__}
    return State(**{**fields, **changes})


def plain(**options: Any) -> Options:
    """Return options as sent over the wire."""
    return Options(**options)
