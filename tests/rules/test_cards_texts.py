"""Cards: our own texts, as somebody reads them who has to laugh: voices, repetition, grammar."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games.rules.cards.log import filled
from games.rules.cards.packs import BLANK, BUILT_IN, VOICES

OWN = pytest.mark.parametrize("slug", ["own", "own-de"])
SO_OFTEN = 5
"""In so many answers a word may come back; with more it is the same joke told again."""
PLAIN = frozenset(
    {"asking", "being", "everything", "from", "last", "nobody", "that", "under", "very", "with"}
    | {"world", "aber", "beim", "eine", "einer", "nach", "ohne", "unter"}
)
"""Words that are no joke."""
SHAPES = (r"\bfull of\b", r"\bmade (?:entirely )?of\b", r"\bvoller\b", r"\baus Marzipan\b")
"""How an answer is made when nothing better occurs to anybody."""
BEFORE_A_NOMINATIVE = re.compile(r"(?:^|: |„|„Achtung! |, etwas Nebel und |, die Kirche und )$")
"""What a gap may stand after: nothing that governs a case or agrees with one noun."""
SUBJECT = re.compile(r"\b[Ww]as (?:ist|war|steht|hält|liegt|treibt|fehlt)\b")
"""The answer to such a question is its subject."""


def stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|’s)$", "", word)


def words(text: str) -> set[str]:
    found = re.findall(r"[^\W\d_]{4,}", text.lower())
    return {stem(word) for word in found if word not in PLAIN}


def answers(slug: str) -> list[str]:
    return [answer.text for answer in BUILT_IN[slug].answers]


@OWN
def test_every_answer_has_one_voice_and_every_voice_many_answers(slug: str) -> None:
    voices = [[tag for tag in card.tags if tag in VOICES] for card in BUILT_IN[slug].answers]
    assert {len(found) for found in voices} == {1}
    share = Counter(found[0] for found in voices)
    assert all(share[voice] > len(voices) / 8 for voice in VOICES)


@OWN
def test_prompts_have_no_voice_for_any_answer_fits_them(slug: str) -> None:
    assert not any({*card.tags} & {*VOICES} for card in BUILT_IN[slug].prompts)


@OWN
def test_no_noun_comes_back_all_the_time(slug: str) -> None:
    found = Counter(word for text in answers(slug) for word in words(text))
    assert {word: n for word, n in found.items() if n > SO_OFTEN} == {}


@OWN
def test_few_answers_are_made_in_the_way_of_those_without_an_idea(slug: str) -> None:
    for shape in SHAPES:
        assert sum(bool(re.search(shape, text)) for text in answers(slug)) <= 3
    things = r"^an? [\w’-]+ with an? [\w’-]+$|^eine? \w+ mit \w+$"
    assert sum(bool(re.search(things, text)) for text in answers(slug)) < len(answers(slug)) / 8


@OWN
def test_a_quotation_begins_with_a_capital(slug: str) -> None:
    opened = re.compile("“(.)" if slug == "own" else "„(.)")
    for card in BUILT_IN[slug].cards:
        for first in opened.findall(card.text):
            assert first == BLANK or first.isupper() or first.isdigit(), card.text


@OWN
def test_a_gap_at_the_start_of_a_quotation_is_filled_with_a_capital(slug: str) -> None:
    mark = "“" if slug == "own" else "„"
    quoting = [card for card in BUILT_IN[slug].prompts if mark + BLANK in card.text]
    assert quoting
    for card in quoting:
        assert f"{mark}Tea" in filled(card.text, ("tea",) * card.cards_to_pick)


def test_german_gaps_ask_for_a_nominative() -> None:
    """So every answer fits every prompt, one thing or several: no case and no number is asked."""
    for card in BUILT_IN["own-de"].prompts:
        befores, afters = card.text.split(BLANK)[:-1], card.text.split(BLANK)[1:]
        assert all(BEFORE_A_NOMINATIVE.search(before) for before in befores), card.text
        assert befores or SUBJECT.search(card.text), card.text
        # A relative clause in the answer is closed by what follows.
        assert all(after[0] in ".,!?“" for after in afters), card.text


def test_german_answers_are_nominatives() -> None:
    """An article shows it: none of theirs is an accusative, a genitive or a dative."""
    for text in answers("own-de"):
        assert not re.match(r"(?:einen|einem|einer|eines|den|dem|des)\b", text), text
