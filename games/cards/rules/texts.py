"""The cards of a match, numbered, and stored once for all matches with the same packs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from games.cards.rules.packs import BUILT_IN, Pack
from games.contract.data import Data, Kept

CardId = Annotated[
    str,
    Meta(
        title="cards.CardId",
        description="Names a card: `pack:number`.",
        examples=["own:12", "own:40"],
    ),
]

_PER_CARD = 250
"""Approximate bytes of a card in memory, without the characters of its text."""


class BlackCard(Data, frozen=True):
    """A prompt."""

    id: CardId
    text: str
    cards_to_pick: int
    cards_to_draw: int


class WhiteCard(Data, frozen=True):
    """An answer."""

    id: CardId
    text: str


Cards = tuple[WhiteCard, ...]


class _Source(Data, frozen=True):
    """Storage format of `Texts`."""

    slug: str
    black: tuple[tuple[int, str, int, int], ...]
    """Number, text, cards to pick, cards to draw."""
    white: tuple[tuple[int, str], ...]
    """Number, text."""


class Texts:
    """The cards of one version of a pack: prompts and then answers, both sorted by number."""

    def __init__(self, slug: str, black: Iterable[BlackCard], white: Iterable[WhiteCard]) -> None:
        self.slug = slug
        self.black = tuple(sorted(black, key=_number))
        self.white = tuple(sorted(white, key=_number))

    def __len__(self) -> int:
        return len(self.black) + len(self.white)

    @property
    def cards(self) -> tuple[BlackCard | WhiteCard, ...]:
        """Return all cards, prompts first."""
        return (*self.black, *self.white)

    @property
    def source(self) -> bytes:
        """Return the cards in the storage format."""
        black = ((_number(c), c.text, c.cards_to_pick, c.cards_to_draw) for c in self.black)
        white = ((_number(c), c.text) for c in self.white)
        return msgspec.json.encode(_Source(self.slug, tuple(black), tuple(white)))

    @cached_property
    def key(self) -> str:
        """SHA-256 of `source`.

        It is equal for packs that have the same cards under the same slug.
        """
        return sha256(self.source).hexdigest()

    @cached_property
    def size(self) -> int:
        """Approximate size of the cards in memory, in bytes."""
        return sum(len(card.text.encode()) for card in self.cards) + _PER_CARD * len(self)


class Stock(Kept):
    """All cards of a match, numbered from 0 across its packs in order."""

    known: ClassVar[Mapping[str, Texts]] = {}

    def __init__(self, parts: Sequence[Texts]) -> None:
        super().__init__(parts)
        self._starts = tuple(accumulate((len(texts) for texts in parts[:-1]), initial=0))

    @staticmethod
    def read(source: bytes | str) -> Texts:
        """Decode the stored texts of one pack."""
        found = msgspec.json.decode(source, type=_Source)
        black = (
            BlackCard(f"{found.slug}:{number}", text, to_pick, to_draw)
            for number, text, to_pick, to_draw in found.black
        )
        white = (WhiteCard(f"{found.slug}:{number}", text) for number, text in found.white)
        return Texts(found.slug, black, white)

    def black(self, number: int) -> BlackCard:
        """Return the prompt with this number."""
        texts, at = self._place(number)
        return texts.black[at]

    def white(self, number: int) -> WhiteCard:
        """Return the answer with this number."""
        texts, at = self._place(number)
        return texts.white[at - len(texts.black)]

    def whites(self, numbers: Iterable[int]) -> Cards:
        """Return the answers with these numbers."""
        return tuple(map(self.white, numbers))

    def playable(self, vetoed: Iterable[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the numbers of the prompts and answers used in a match.

        Cards with the same text count as one card, which is taken from the first pack. A veto
        applies to the text in every pack.
        """
        unwanted = frozenset(vetoed)
        starts = [*zip(self._starts, self.parts, strict=True)]
        black = _one_of_each([(at, texts.black) for at, texts in starts], unwanted)
        white = _one_of_each([(at + len(t.black), t.white) for at, t in starts], unwanted)
        return black, white

    def _place(self, number: int) -> tuple[Texts, int]:
        of = bisect_right(self._starts, number) - 1
        return self.parts[of], number - self._starts[of]


def texts_of(pack: Pack) -> Texts:
    """Return the cards of a pack."""
    return Texts(
        pack.slug,
        (
            BlackCard(f"{pack.slug}:{c.number}", c.text, c.cards_to_pick, c.cards_to_draw)
            for c in pack.prompts
        ),
        (WhiteCard(f"{pack.slug}:{c.number}", c.text) for c in pack.answers),
    )


def _one_of_each(
    packs: Sequence[tuple[int, Sequence[BlackCard | WhiteCard]]], unwanted: Container[str]
) -> tuple[int, ...]:
    """Return the numbers of these cards without duplicate or vetoed texts."""
    seen = {_plain(card.text) for _at, cards in packs for card in cards if card.id in unwanted}
    found = []
    for first, cards in packs:
        for number, card in enumerate(cards, first):
            if (text := _plain(card.text)) not in seen:
                seen.add(text)
                found.append(number)
    return tuple(found)


def _plain(text: str) -> str:
    """Return a key that is equal for texts that differ only in case and spaces."""
    return " ".join(text.casefold().split())


def _number(card: BlackCard | WhiteCard) -> int:
    return int(card.id.partition(":")[2])


BUILT_IN_TEXTS: Mapping[str, Texts] = {slug: texts_of(pack) for slug, pack in BUILT_IN.items()}
Stock.known = {texts.key: texts for texts in BUILT_IN_TEXTS.values()}

Find = Callable[[str], Texts | None]
"""Returns the cards of the pack with this slug, or None if the table may not use it."""
