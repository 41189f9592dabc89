"""Cards: packs, how they are read, and that our own are fit to print."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import pytest

from games.rules.cards import GAME
from games.rules.cards.packs import (
    BLANK,
    BUILT_IN,
    LONGEST_ANSWER,
    LONGEST_PROMPT,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    checked,
    read,
)
from games.rules.cards.state import Options, Stocked
from games.rules.core import Refused
from games.rules.data import decode, encode, unpack
from games.rules.luck import Luck
from tests.kit.cards_table import pack

SMALL: dict[str, Any] = {
    "slug": "small",
    "name": "Small",
    "language": "en",
    "prompts": [{"number": 1, "text": "Where is _?"}],
    "answers": [{"number": 2, "text": "here", "tags": ["place"]}],
}


def small(**changes: Any) -> str:
    return json.dumps({**SMALL, **changes})


def why_not(source: str) -> str:
    with pytest.raises(PackError) as problem:
        read(source)
    return str(problem.value)


def prompt(**changes: Any) -> str:
    return small(prompts=[{"number": 1, "text": "_", **changes}])


def answer(text: str) -> str:
    return small(answers=[{"number": 2, "text": text}])


def test_a_pack_is_read_from_json() -> None:
    cards = read(small())
    assert cards.prompts == (Prompt(1, "Where is _?", 1, 0, ()),)
    assert cards.answers == (Answer(2, "here", ("place",)),)


def test_texts_are_trimmed_and_composed() -> None:
    assert read(answer("  cafe\u0301 ")).answers[0].text == "caf\u00e9"


def test_a_text_may_be_as_long_as_allowed_and_no_longer() -> None:
    assert read(answer("a" * LONGEST_ANSWER))
    assert read(prompt(text="a" * LONGEST_PROMPT))
    assert why_not(answer("a" * 151)) == "Card 2: 151 characters, 150 are allowed."
    assert why_not(prompt(text="a" * 301)) == "Card 1: 301 characters, 300 are allowed."


@pytest.mark.parametrize("sign", ["\n", "\t", "\u2028", "\u202e", "\u200d", "\u0007", "\ufeff"])
def test_control_format_and_line_characters_are_refused(sign: str) -> None:
    code = f"U+{ord(sign):04X}"
    assert why_not(answer(f"a{sign}b")) == (
        f"Card 2: {code} is a control, format or line character."
    )


def test_an_empty_text_is_refused() -> None:
    assert why_not(answer("   ")) == "Card 2: the text is empty."


def test_there_are_no_more_blanks_than_cards_to_pick() -> None:
    assert read(prompt(text="_ and _", cardsToPick=2))
    assert read(prompt(text="What?", cardsToPick=3))
    assert why_not(prompt(text="_ and _")) == (
        "Card 1: for 2 blanks, cardsToPick (in CSV: pick) has to be 2."
    )


def test_a_number_is_given_once_over_prompts_and_answers() -> None:
    twice = small(answers=[{"number": 1, "text": "here"}])
    assert why_not(twice) == "Card 1: the number is given 2 times."


@pytest.mark.parametrize(
    "source",
    [
        "no json",
        "[]",
        small(slug="Not A Slug"),
        small(slug=""),
        small(name=""),
        small(language="English"),
        small(more="fields"),
        prompt(number=0),
        prompt(number="1"),
        prompt(cardsToPick=0),
        prompt(cardsToPick=4),
        prompt(cardsToDraw=4),
        prompt(tags=["colour"]),
        prompt(tags=["food", "work", "place", "person"]),
        small(prompts=[{"number": at, "text": "a"} for at in range(1, MOST_PROMPTS + 2)]),
    ],
)
def test_what_is_no_pack_is_refused_in_a_sentence(source: str) -> None:
    assert re.fullmatch(r"This is not a pack: .+\.", why_not(source))


def test_packs_made_elsewhere_are_checked_in_the_same_way() -> None:
    crowded = Pack(
        slug="x", name="X", language="en", prompts=(Prompt(1, "_ _"),), answers=(Answer(2, " b "),)
    )
    with pytest.raises(PackError):
        checked(crowded)
    assert checked(pack()) == pack()


def test_the_house_hands_over_packs_that_are_not_built_in() -> None:
    cards = pack(answers=30)
    options = GAME.stock(Options(packs=("t", "own-de")), {"t": cards}.get)
    assert isinstance(options, Stocked)
    assert options.stock == (cards, BUILT_IN["own-de"])
    GAME.check(options, 3)
    state = GAME.setup(3, options, Luck(b"stock", 0)).state
    held = {card.id for hand in state.hands.values() for card in hand}
    held |= {card.id for card in state.white_deck}
    assert {"t:101", "t:130"} <= held
    assert len(held) == 230


def test_a_pack_the_house_does_not_know_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        GAME.stock(Options(packs=("t",)), {}.get)
    assert refusal.value.facts["option"] == "packs"


def test_a_built_in_pack_cannot_be_replaced() -> None:
    impostor = pack()
    options = GAME.stock(Options(), {"own": impostor}.get)
    assert isinstance(options, Stocked)
    assert options.stock == (BUILT_IN["own"],)


def test_nobody_can_send_texts_in_the_options() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        unpack({"stock": []}, Options)


def test_a_match_keeps_its_texts_and_the_options_do_not() -> None:
    options = GAME.stock(Options(packs=("t",)), {"t": pack()}.get)
    state = GAME.setup(3, options, Luck(b"kept", 0)).state
    assert type(state.options) is Options
    again = decode(encode(state), GAME.state)
    assert again == state
    assert again.hands[next(iter(again.hands))][0].text.startswith("answer ")


# Our own packs.

OWN = pytest.mark.parametrize("slug", ["own", "own-de"])


def words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if len(word) > 3)


def too_alike(one: str, two: str) -> bool:
    a, b = words(one), words(two)
    return len(a & b) > len(a | b) / 2


@OWN
def test_our_packs_are_as_large_as_promised(slug: str) -> None:
    sizes = {"own": (120, 400, "en"), "own-de": (60, 200, "de")}
    cards = BUILT_IN[slug]
    assert (len(cards.prompts), len(cards.answers), cards.language) == sizes[slug]


@OWN
def test_our_texts_are_written_as_they_are_shown(slug: str) -> None:
    for card in BUILT_IN[slug].cards:
        assert "  " not in card.text
        assert '"' not in card.text, f"{card.text}: use the quotation marks of the language"
        assert "'" not in card.text


@OWN
def test_our_prompts_have_a_blank_for_every_card_or_are_questions(slug: str) -> None:
    for card in BUILT_IN[slug].prompts:
        blanks = card.text.count(BLANK)
        assert blanks == card.cards_to_pick or (blanks == 0 and card.text.endswith("?")), card.text
        assert card.text[-1] in ".?!“”:", card.text
        assert card.cards_to_draw == card.cards_to_pick - 1


@OWN
def test_our_prompts_mostly_ask_for_one_card(slug: str) -> None:
    picks = [card.cards_to_pick for card in BUILT_IN[slug].prompts]
    assert picks.count(1) > len(picks) * 2 / 3
    assert picks.count(2) > picks.count(3) > 0


@OWN
def test_our_answers_are_short_and_fit_into_a_sentence(slug: str) -> None:
    for card in BUILT_IN[slug].answers:
        assert BLANK not in card.text
        assert not card.text.endswith((".", "!"))
        assert len(card.text) <= 80
        assert len(card.text.split()) <= 13


@OWN
def test_each_of_our_cards_has_one_to_three_tags(slug: str) -> None:
    for card in BUILT_IN[slug].cards:
        assert 1 <= len(card.tags) <= 3
        assert len(set(card.tags)) == len(card.tags)


@OWN
def test_no_two_of_our_cards_say_the_same(slug: str) -> None:
    for cards in (BUILT_IN[slug].prompts, BUILT_IN[slug].answers):
        texts = [card.text for card in cards]
        folded = {re.sub(r"\W+", " ", text.casefold()).strip() for text in texts}
        assert len(folded) == len(texts)
        alike = [pair for pair in combinations(texts, 2) if too_alike(*pair)]
        assert alike == []
