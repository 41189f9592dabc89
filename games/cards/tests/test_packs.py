"""Cards: reading packs, and quality checks of the built-in ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import msgspec
import pytest

from games.cards import GAME
from games.cards.rules.packs import (
    BLANK,
    BUILT_IN,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    read,
)
from games.cards.rules.rounds import summary
from games.cards.rules.state import Options, PlayWhiteCards, State, Stocked
from games.cards.rules.texts import BUILT_IN_TEXTS, Stock, Texts, texts_of
from games.cards.tests.table import pack
from games.contract.core import Refused
from games.contract.data import decode, encode, unpack
from games.contract.data import pack as pack_data
from games.contract.luck import Luck

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


def test_prompt_has_no_more_blanks_than_cards_to_pick() -> None:
    assert read(prompt(text="_ and _", cardsToPick=2))
    assert read(prompt(text="What?", cardsToPick=3))
    assert why_not(prompt(text="_ and _")) == (
        "Card 1: for 2 blanks, cardsToPick (in CSV: pick) has to be 2."
    )


def test_card_numbers_are_unique_across_prompts_and_answers() -> None:
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
def test_malformed_packs_are_rejected_with_a_message(source: str) -> None:
    assert re.fullmatch(r"This is not a pack: .+\.", why_not(source))


def test_server_supplies_packs_that_are_not_built_in() -> None:
    cards = texts_of(pack(answers=30))
    options = GAME.rules.stock(Options(packs=("t", "own-de")), {"t": cards}.get)
    assert isinstance(options, Stocked)
    assert options.stock.parts == (cards, BUILT_IN_TEXTS["own-de"])
    GAME.rules.check(options, 3)
    state = GAME.rules.setup(3, options, Luck(b"stock", 0)).state
    held = ids(state, *state.hands.values(), state.white_deck)
    assert {"t:101", "t:130"} <= held
    assert len(held) == 230


def test_unknown_pack_is_rejected() -> None:
    with pytest.raises(Refused) as refusal:
        GAME.rules.stock(Options(packs=("t",)), {}.get)
    assert refusal.value.facts["option"] == "packs"


def test_a_built_in_pack_cannot_be_replaced() -> None:
    impostor = texts_of(pack())
    options = GAME.rules.stock(Options(), {"own": impostor}.get)
    assert isinstance(options, Stocked)
    assert options.stock.parts == (BUILT_IN_TEXTS["own"],)


def test_clients_cannot_send_texts_in_the_options() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        unpack({"stock": []}, Options)


def test_stored_state_references_texts_by_key() -> None:
    texts = texts_of(pack())
    state = begun(Options(packs=("t",)), t=texts)
    assert type(state.options) is Options
    stored = encode(state)
    assert b"answer" not in stored
    assert b"prompt 1" not in stored
    sources = {texts.key: texts.source}
    again = decode(stored, GAME.rules.state, lambda kind, key: kind.read(sources[key]))
    assert again == state
    (hand, *_others) = again.hands.values()
    assert again.stock.whites(hand)[0].text.startswith("answer ")
    with pytest.raises(LookupError):
        decode(stored, GAME.rules.state)


def test_stored_card_takes_a_few_bytes_regardless_of_its_text() -> None:
    cards = 3_000
    state = begun(Options(packs=("t",)), t=texts_of(pack(answers=cards)))
    assert len(encode(state)) < 1_000 + 6 * cards


def test_packs_with_the_same_cards_have_the_same_key() -> None:
    one, other = pack(), msgspec.structs.replace(pack(), name="Another name", language="de")
    turned = msgspec.structs.replace(pack(), answers=pack().answers[::-1])
    assert len({texts_of(each).key for each in (one, other, turned)}) == 1
    longer = pack(answers=101)
    assert texts_of(longer).key != texts_of(one).key


def test_duplicate_text_in_two_packs_is_one_card() -> None:
    first, second = (
        Pack(
            slug=slug,
            name=slug,
            language="en",
            prompts=(Prompt(1, prompts[0]), Prompt(2, prompts[1])),
            answers=tuple(Answer(10 + at, text) for at, text in enumerate(answers)),
        )
        for slug, prompts, answers in (
            ("one", ("Why _?", "Who?"), ("a goose", "tea")),
            ("two", ("why _?", "Where?"), ("A  goose", "rain")),
        )
    )
    stock = Stock([texts_of(first), texts_of(second)])
    black, white = stock.playable(())
    assert [stock.black(n).id for n in black] == ["one:1", "one:2", "two:2"]
    assert [card.id for card in stock.whites(white)] == ["one:10", "one:11", "two:11"]
    black, white = stock.playable(("one:10", "two:2"))
    assert [stock.black(n).id for n in black] == ["one:1", "one:2"]
    assert [card.text for card in stock.whites(white)] == ["tea", "rain"]


@pytest.mark.parametrize("vetoed", [(), ("own:12", "own-de:3")])
def test_state_stored_by_version_1_is_read_unchanged(vetoed: tuple[str, ...]) -> None:
    state = begun(Options(packs=("own-de", "own"), vetoed=vetoed))
    for at in GAME.rules.awaited(state):
        hand = [card.id for card in state.stock.whites(state.hands[at])]
        made = PlayWhiteCards(tuple(hand[: state.black.cards_to_pick]))
        state = GAME.rules.apply(state, at, made, Luck(b"played", at)).state
    state = GAME.rules.lapse(state, Luck(b"counted", 0)).state
    assert state.last_round is not None
    assert state.last_round.plays
    for moment in (state, GAME.rules.lapse(state, Luck(b"next", 0)).state):
        again = GAME.rules.former[1](json.dumps(as_version_1(moment)))
        for viewer in (None, *moment.hands):
            assert GAME.rules.view(again, viewer) == GAME.rules.view(moment, viewer)
        assert as_version_1(again) == as_version_1(moment)
        assert vetoed or again == moment


def as_version_1(state: State) -> dict[str, Any]:
    """Return a state as version 1 stored it: every card with its text."""
    plain, stock = pack_data(state), state.stock
    del plain["stock"]

    def white(numbers: Iterable[int]) -> list[Any]:
        return pack_data(stock.whites(numbers))  # type: ignore[no-any-return]

    for pile in ("whiteDeck", "whiteDiscard"):
        plain[pile] = white(plain[pile])
    for pile in ("blackDeck", "blackDiscard"):
        plain[pile] = [pack_data(stock.black(number)) for number in plain[pile]]
    for by_seat in ("hands", "plays"):
        plain[by_seat] = {at: white(numbers) for at, numbers in plain[by_seat].items()}
    plain["activeBlack"] = pack_data(state.black)
    if state.last_round is not None:
        plain["lastRound"] = pack_data(summary(stock, state.last_round))
    return plain  # type: ignore[no-any-return]


def begun(options: Options, **packs: Texts) -> State:
    state: State = GAME.rules.setup(3, GAME.rules.stock(options, packs.get), Luck(b"kept", 0)).state
    return state


def ids(state: State, *piles: Iterable[int]) -> set[str]:
    return {card.id for pile in piles for card in state.stock.whites(pile)}


# The built-in packs.

OWN = pytest.mark.parametrize("slug", ["own", "own-de"])


def words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if len(word) > 3)


def too_alike(one: str, two: str) -> bool:
    a, b = words(one), words(two)
    return len(a & b) > len(a | b) / 2


@OWN
def test_built_in_packs_have_their_documented_sizes(slug: str) -> None:
    sizes = {"own": (120, 400, "en"), "own-de": (60, 200, "de")}
    cards = BUILT_IN[slug]
    assert (len(cards.prompts), len(cards.answers), cards.language) == sizes[slug]


@OWN
def test_built_in_texts_use_typographic_quotes_and_single_spaces(slug: str) -> None:
    for card in BUILT_IN[slug].cards:
        assert "  " not in card.text
        assert '"' not in card.text, f"{card.text}: use the quotation marks of the language"
        assert "'" not in card.text


@OWN
def test_built_in_prompts_have_a_blank_per_card_or_are_questions(slug: str) -> None:
    for card in BUILT_IN[slug].prompts:
        blanks = card.text.count(BLANK)
        assert blanks == card.cards_to_pick or (blanks == 0 and card.text.endswith("?")), card.text
        assert card.text[-1] in ".?!“”:", card.text
        assert card.cards_to_draw == card.cards_to_pick - 1


@OWN
def test_built_in_cards_have_one_to_three_tags(slug: str) -> None:
    for card in BUILT_IN[slug].cards:
        assert 1 <= len(card.tags) <= 3
        assert len(set(card.tags)) == len(card.tags)


@OWN
def test_built_in_cards_are_not_near_duplicates(slug: str) -> None:
    for cards in (BUILT_IN[slug].prompts, BUILT_IN[slug].answers):
        texts = [card.text for card in cards]
        folded = {re.sub(r"\W+", " ", text.casefold()).strip() for text in texts}
        assert len(folded) == len(texts)
        alike = [pair for pair in combinations(texts, 2) if too_alike(*pair)]
        assert alike == []
