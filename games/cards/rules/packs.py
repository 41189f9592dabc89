"""Packs of card texts: definition, parsing from JSON, and the built-in packs."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Annotated, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from games.contract.data import Data
from games.contract.words import Text, _

BLANK = "_"
MOST_PICKED = 3
LINE = "____"
"""A blank as shown to players."""
LONGEST_PROMPT = 300
LONGEST_ANSWER = 150
MOST_PROMPTS = 1_000
MOST_ANSWERS = 3_000
LAST_NUMBER = 1_000_000

Subject = Literal["food", "work", "animal", "abstract", "absurd", "person", "place"]
SUBJECTS: tuple[Subject, ...] = get_args(Subject)
Voice = Literal["dry", "dark", "family"]
VOICES: tuple[Voice, ...] = get_args(Voice)
Tag = Subject | Voice
TAGS: tuple[Tag, ...] = (*SUBJECTS, *VOICES)
Tags = Annotated[tuple[Tag, ...], Meta(max_length=3)]
Number = Annotated[int, Meta(ge=1, le=LAST_NUMBER)]
Slug = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]{0,39}\Z")]


class Prompt(Data, frozen=True):
    """A black card. Blanks are written `_`. Answers to a prompt without a blank follow its text."""

    number: Number
    text: str
    cards_to_pick: Annotated[int, Meta(ge=1, le=MOST_PICKED)] = 1
    cards_to_draw: Annotated[int, Meta(ge=0, le=3)] = 0
    tags: Tags = ()


class Answer(Data, frozen=True):
    """A white card."""

    number: Number
    text: str
    tags: Tags = ()


Card = TypeVar("Card", Prompt, Answer)


class Pack(Data, frozen=True, kw_only=True):
    """A named set of cards. Prompts and answers share one sequence of numbers. The number of a card
    never changes.

    The `tags` of a card are its subjects and voice. Only bots use them. `language` is a code as in
    HTML (`en`, `de`).
    """

    slug: Slug
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    language: Annotated[str, Meta(pattern=r"\A[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")]
    prompts: Annotated[tuple[Prompt, ...], Meta(max_length=MOST_PROMPTS)]
    answers: Annotated[tuple[Answer, ...], Meta(max_length=MOST_ANSWERS)]

    @property
    def cards(self) -> tuple[Prompt | Answer, ...]:
        """Return all cards, prompts first."""
        return (*self.prompts, *self.answers)


class PackError(ValueError):
    """A pack is not valid. The message tells its author why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.id % {name: str(fact) for name, fact in text.facts.items()})
        self.text = text


def read(source: bytes | str) -> Pack:
    """Parse a pack from JSON.

    Its texts become NFC and are trimmed. Raise PackError if the pack is not valid.
    """
    try:
        pack = msgspec.json.decode(source, type=Pack)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise PackError(_("This is not a pack: %(problem)s.", problem=str(problem))) from problem
    return checked(pack)


def checked(pack: Pack) -> Pack:
    """Return the pack with its texts in NFC and trimmed. Raise PackError if a limit is exceeded."""
    counts = Counter(card.number for card in pack.cards)
    for number, times in counts.items():
        if times > 1:
            why = _("the number is given %(times)s times", times=times)
            raise PackError(_("Card %(number)s: %(why)s.", number=number, why=why.id % why.facts))
    return msgspec.structs.replace(
        pack,
        prompts=tuple(_of_card(prompt, checked_prompt) for prompt in pack.prompts),
        answers=tuple(_of_card(answer, checked_answer) for answer in pack.answers),
    )


def checked_prompt(prompt: Prompt) -> Prompt:
    """Return the prompt with its text in NFC and trimmed. Raise PackError if it is not valid."""
    text = _checked_text(prompt.text, LONGEST_PROMPT)
    blanks, picks = text.count(BLANK), prompt.cards_to_pick
    if blanks > picks:
        raise PackError(
            _(
                "for %(blanks)s blanks, cardsToPick (in CSV: pick) has to be %(blanks)s",
                blanks=blanks,
            )
            if blanks <= MOST_PICKED
            else _("%(blanks)s blanks are too many: at most three can be filled", blanks=blanks)
        )
    return msgspec.structs.replace(prompt, text=text)


def checked_answer(answer: Answer) -> Answer:
    """Return the answer with its text in NFC and trimmed. Raise PackError if it is not valid."""
    return msgspec.structs.replace(answer, text=_checked_text(answer.text, LONGEST_ANSWER))


def _of_card(card: Card, check: Callable[[Card], Card]) -> Card:
    try:
        return check(card)
    except PackError as problem:
        number = card.number
        raise PackError(_("Card %(number)s: %(why)s.", number=number, why=str(problem))) from None


def _checked_text(raw: str, longest: int) -> str:
    # NFC combines at most four characters into one. Normalizing a very long text could take
    # minutes.
    text = unicodedata.normalize("NFC", raw).strip() if len(raw) <= 4 * longest else raw
    if not text:
        raise PackError(_("the text is empty"))
    if len(text) > longest:
        raise PackError(
            _("%(have)s characters, %(most)s are allowed", have=len(text), most=longest)
        )
    for sign in text if not text.isprintable() else "":
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            code = f"U+{ord(sign):04X}"
            raise PackError(_("%(code)s is a control, format or line character", code=code))
    return text


def _built_in() -> Mapping[str, Pack]:
    decks = files(__package__) / "decks"
    packs = [read((decks / name).read_bytes()) for name in ("own.json", "own-de.json")]
    return {pack.slug: pack for pack in packs}


BUILT_IN: Mapping[str, Pack] = _built_in()


def to_read(prompt: str) -> str:
    """Return the prompt for display, with each blank as a line of underscores."""
    return prompt.replace(BLANK, LINE)
