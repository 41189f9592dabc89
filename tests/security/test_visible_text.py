"""User text always contains something visible, wherever it is entered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.names import BadName, clean_name
from chat.messages import BadMessage, clean, plain
from games.cards.decks.reading import read_deck
from games.udp import lines

UNSEEN = ["\u200b", "\u2800", "\U0001d159", "\ufffc", "\u3164", "\u00ad\u2060", "\u0301"]
"""Characters that render as empty space or not at all."""
PUNCTUATION = "?!"

pytestmark = pytest.mark.django_db


def message(text: str) -> bool:
    try:
        return bool(clean(text))
    except BadMessage:
        return False


def note(text: str) -> bool:
    return bool(plain(text, 300))


def deck(answer: str, title: str) -> bool:
    cards = {"prompts": [{"number": 1, "text": "a ____"}]}
    cards["answers"] = [{"number": 2, "text": answer}]
    return read_deck(json.dumps(cards).encode(), title, "en").pack is not None


def deck_title(text: str) -> bool:
    return deck("b", text)


def card(text: str) -> bool:
    return deck(text, "Deck")


def name(text: str) -> bool:
    try:
        return bool(clean_name(text))
    except BadName:
        return False


@pytest.mark.parametrize("text", UNSEEN)
@pytest.mark.parametrize("accepts", [message, note, deck_title, card, name, lines.is_name])
def test_text_without_a_visible_character_is_rejected(
    accepts: Callable[[str], bool], text: str
) -> None:
    assert not accepts(text)


@pytest.mark.parametrize("accepts", [message, note, deck_title, card, lines.is_name])
def test_punctuation_alone_is_accepted_except_as_a_display_name(
    accepts: Callable[[str], bool],
) -> None:
    assert accepts(PUNCTUATION)
