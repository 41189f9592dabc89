"""Bots for Cards. They choose cards by the tags of the built-in packs (docs/opponents.md).

Each bot has its own taste (`taste.py`), so bots play and vote differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.cards.bots.taste import taste_of
from games.cards.rules.packs import BUILT_IN, SUBJECTS, Tag
from games.cards.rules.state import (
    Continue,
    DiscardCards,
    Moves,
    PlayWhiteCards,
    View,
    Vote,
)
from games.cards.rules.texts import Cards, WhiteCard
from games.contract.choices import random_bot, sometimes_random
from games.contract.core import Bot, ClaimMade, Event, Move, Offer, OneOf
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck

SHORT = 40
"""Maximum characters of an answer that still reads well inside a sentence."""
POOR = 1.5
"""A hand is poor if its best card is worth less than this for a typical prompt: about one in
seven.
"""
KEPT = 2


def _tags() -> Mapping[str, frozenset[Tag]]:
    return {
        f"{pack.slug}:{card.number}": frozenset(card.tags)
        for pack in BUILT_IN.values()
        for card in pack.cards
    }


TAGS_OF: Mapping[str, frozenset[Tag]] = _tags()


def normal(
    seat: Seat,
    view: View,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Move:
    """Play the best answers and vote for the best play. Swap a poor hand if the swap is free.

    Never pay for a swap, because a point is worth more than a better hand. A bot that paid to
    exchange one hand in seven won only a fifth of 1,000 matches with three players, instead of a
    third.
    """
    offered = {offer.move: offer for offer in offers}
    if "PlayWhiteCards" in offered:
        return _best_play(view, luck)
    if "DiscardCards" in offered and not offered["DiscardCards"].risky and _is_poor(view):
        return _discard(view)
    if "Vote" in offered:
        return _best_vote(view, offered["Vote"], luck)
    return Continue() if "Continue" in offered else _discard(view)


def fit(black_id: str, cards: Cards, luck: BotLuck) -> float:
    """Score how well these answers suit the prompt and the bot's taste, with some noise."""
    wanted, taste = TAGS_OF.get(black_id, frozenset()), taste_of(luck.manner)
    worth = sum(_worth(card, wanted) + taste.liking(_tags_of(card)) for card in cards)
    return worth / len(cards) + _mood(luck)


def _best_play(view: View, luck: BotLuck) -> Move:
    """Play the cards that suit the prompt best.

    The very best card comes last, because the last blank is the punch line.
    """
    black = view.black
    assert black is not None
    worth = {card.id: fit(black.id, (card,), luck) for card in view.hand}
    best = sorted(worth, key=lambda id_: worth[id_])[-black.cards_to_pick :]
    return PlayWhiteCards(tuple(best))


def _best_vote(view: View, offer: Offer, luck: BotLuck) -> Move:
    assert view.black is not None
    choices = offer.args["playId"]
    assert isinstance(choices, OneOf)
    worth = {
        play.play_id: fit(view.black.id, play.cards, luck)
        for play in view.plays
        if play.play_id in choices.one_of
    }
    best = max(worth, key=lambda play_id: worth[play_id])
    assert best is not None
    return Vote(best)


def _is_poor(view: View) -> bool:
    """Return whether the hand is large enough to swap, and no card suits a typical prompt."""
    return len(view.hand) > KEPT and max(_typical(card) for card in view.hand) < POOR


def _discard(view: View) -> Move:
    """Discard all cards except the best two."""
    worst_first = sorted(view.hand, key=_typical)
    return DiscardCards(tuple(card.id for card in worst_first[: max(1, len(worst_first) - KEPT)]))


def _typical(card: WhiteCard) -> float:
    """Return a card's mean score over all subjects.

    A card without tags scores POOR (the threshold), so that its hand never counts as poor.
    """
    if card.id not in TAGS_OF:
        return POOR
    return sum(_worth(card, frozenset((tag,))) for tag in SUBJECTS) / len(SUBJECTS)


def _worth(card: WhiteCard, wanted: frozenset[Tag]) -> float:
    return 2 * len(_tags_of(card) & wanted) + (len(card.text) <= SHORT)


def _tags_of(card: WhiteCard) -> frozenset[Tag]:
    return TAGS_OF.get(card.id, frozenset())


def _mood(luck: Luck) -> float:
    """Return approximately normal noise with a standard deviation of about 0.5."""
    return sum(luck.draw("mood", 1001) - 500 for _ in range(3)) / 1000


LEVELS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
}
