"""Packs of card texts: what one is, how it is read from JSON, and those that are built in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from games.rules.data import Data

BLANK = "_"
LONGEST_PROMPT = 300
LONGEST_ANSWER = 150
MOST_PROMPTS = 1_000
MOST_ANSWERS = 3_000

Tag = Literal["food", "work", "animal", "abstract", "absurd", "person", "place"]
TAGS: tuple[Tag, ...] = get_args(Tag)
Tags = Annotated[tuple[Tag, ...], Meta(max_length=3)]
Number = Annotated[int, Meta(ge=1, le=1_000_000)]
Slug = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]{0,39}\Z")]


class Prompt(Data, frozen=True):
    """A black card. Blanks are written `_`; answers without a blank follow the text."""

    number: Number
    text: str
    cards_to_pick: Annotated[int, Meta(ge=1, le=3)] = 1
    cards_to_draw: Annotated[int, Meta(ge=0, le=3)] = 0
    tags: Tags = ()


class Answer(Data, frozen=True):
    """A white card."""

    number: Number
    text: str
    tags: Tags = ()


class Pack(Data, frozen=True, kw_only=True):
    """Texts under one name. A card's number is its own for ever, over prompts and answers alike.

    `tags` of a card help the bots alone. `language` is a code as in HTML (`en`, `de`).
    """

    slug: Slug
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    language: Annotated[str, Meta(pattern=r"\A[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")]
    prompts: Annotated[tuple[Prompt, ...], Meta(max_length=MOST_PROMPTS)]
    answers: Annotated[tuple[Answer, ...], Meta(max_length=MOST_ANSWERS)]

    @property
    def cards(self) -> tuple[Prompt | Answer, ...]:
        """All of them, prompts first."""
        return (*self.prompts, *self.answers)


class PackError(ValueError):
    """Why this is no pack, in one sentence for whoever made it."""


def read(source: bytes | str) -> Pack:
    """The pack in this JSON, its texts in NFC and trimmed. Raises PackError."""
    try:
        pack = msgspec.json.decode(source, type=Pack)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise PackError(f"This is not a pack: {problem}.") from problem
    return checked(pack)


def checked(pack: Pack) -> Pack:
    """The pack with its texts in NFC and trimmed. Raises PackError where a limit is broken."""
    _check_numbers(pack)
    return msgspec.structs.replace(
        pack,
        prompts=tuple(_checked_prompt(prompt) for prompt in pack.prompts),
        answers=tuple(_checked_answer(answer) for answer in pack.answers),
    )


def _check_numbers(pack: Pack) -> None:
    counts = Counter(card.number for card in pack.cards)
    for number, times in counts.items():
        if times > 1:
            raise PackError(f"Card {number}: the number is given {times} times.")


def _checked_prompt(prompt: Prompt) -> Prompt:
    text = _checked_text(prompt.number, prompt.text, LONGEST_PROMPT)
    blanks = text.count(BLANK)
    if blanks > prompt.cards_to_pick:
        raise PackError(
            f"Card {prompt.number}: {blanks} blanks, but cardsToPick is {prompt.cards_to_pick}."
        )
    return msgspec.structs.replace(prompt, text=text)


def _checked_answer(answer: Answer) -> Answer:
    text = _checked_text(answer.number, answer.text, LONGEST_ANSWER)
    return msgspec.structs.replace(answer, text=text)


def _checked_text(number: int, raw: str, longest: int) -> str:
    text = unicodedata.normalize("NFC", raw).strip()
    if not text:
        raise PackError(f"Card {number}: the text is empty.")
    if len(text) > longest:
        raise PackError(f"Card {number}: {len(text)} characters, {longest} are allowed.")
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            raise PackError(
                f"Card {number}: U+{ord(sign):04X} is a control, format or line character."
            )
    return text


def _built_in() -> Mapping[str, Pack]:
    decks = files(__package__) / "decks"
    packs = [read((decks / name).read_bytes()) for name in ("own.json", "own-de.json")]
    return {pack.slug: pack for pack in packs}


BUILT_IN: Mapping[str, Pack] = _built_in()
