"""Reader for states stored by version 1 of Cards, which contain every card with its text."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Any

import msgspec

from games.cards.rules.state import State
from games.cards.rules.texts import BlackCard, Stock, Texts, WhiteCard
from games.contract.data import Kept, unpack

Json = dict[str, Any]


def read_version_1(source: str) -> State:
    """Convert a version 1 state to one that refers to cards by number.

    Raise msgspec.ValidationError or KeyError if the state is damaged.
    """
    plain: Json = msgspec.json.decode(source)
    stock = _stock(plain)
    numbers: dict[str, int] = {}
    for texts in stock.parts:
        numbers |= {card.id: at for at, card in enumerate(texts.cards, len(numbers))}

    def numbered(cards: list[Json]) -> list[int]:
        return [numbers[card["id"]] for card in cards]

    for pile in ("blackDeck", "blackDiscard", "whiteDeck", "whiteDiscard"):
        plain[pile] = numbered(plain[pile])
    for by_seat in ("hands", "plays"):
        plain[by_seat] = {at: numbered(cards) for at, cards in plain[by_seat].items()}
    if plain["activeBlack"] is not None:
        (plain["activeBlack"],) = numbered([plain["activeBlack"]])
    if (last := plain["lastRound"]) is not None:
        (last["black"],) = numbered([last["black"]])
        for play in last["plays"]:
            play["cards"] = numbered(play["cards"])
    plain["stock"] = stock.keys
    parts: dict[str, Texts] = {texts.key: texts for texts in stock.parts}

    def find(kind: type[Kept], key: str) -> Texts:
        return parts[key]

    state: State = unpack(plain, State, find)
    return state


def _stock(plain: Json) -> Stock:
    """Collect all cards of the match, grouped by pack."""
    lying = [plain["activeBlack"]] if plain["activeBlack"] is not None else []
    black: dict[str, list[BlackCard]] = defaultdict(list)
    white: dict[str, list[WhiteCard]] = defaultdict(list)
    for card in (*plain["blackDeck"], *plain["blackDiscard"], *lying):
        found = msgspec.convert(card, BlackCard)
        black[_slug(found.id)].append(found)
    held = chain(plain["hands"].values(), plain["plays"].values())
    for card in (*plain["whiteDeck"], *plain["whiteDiscard"], *chain.from_iterable(held)):
        answer = msgspec.convert(card, WhiteCard)
        white[_slug(answer.id)].append(answer)
    slugs = dict.fromkeys([*plain["options"]["packs"], *black, *white])
    parts = [Texts(slug, black[slug], white[slug]) for slug in slugs]
    return Stock([Stock.known.get(texts.key, texts) for texts in parts])


def _slug(card_id: str) -> str:
    return card_id.partition(":")[0]
