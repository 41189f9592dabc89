"""A deck out of the file somebody brings, or a sentence for everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import msgspec
from django.utils.translation import gettext

from accounts.words import is_unwanted
from games.decks import base_slug, pack_of
from games.decks.files import LONGEST, MOST_PROBLEMS, Found, Unreadable, as_json, read_cards
from games.decks.languages import language_code
from games.language.sentences import say
from games.models import Deck
from games.rules.cards.packs import (
    LAST_NUMBER,
    MOST_ANSWERS,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    read,
)


@dataclass(frozen=True)
class Reading:
    """What was made of a file: a pack, or sentences about everything that is wrong with it."""

    pack: Pack | None
    problems: tuple[str, ...] = ()


def read_deck(data: bytes, name: str, language: str, known: Deck | None = None) -> Reading:
    """A pack out of the bytes of a JSON or CSV file.

    Cards without a number keep the one they had in `known`, or are given a new one.
    """
    code = language_code(language)
    before = pack_of(known).cards if known else ()
    highest = known.highest if known else 0
    try:
        found, problems = read_cards(data)
    except Unreadable as why:
        return _no(str(why))
    problems += _about_the_whole(found, name, code)
    problems += _repeated(found)
    problems += _unwanted(found, name)
    problems += _retired(found, before, highest)
    if problems:
        return Reading(None, tuple(problems[:MOST_PROBLEMS]))
    cards = list(_numbered(found, before, highest))
    pack = Pack(
        slug=base_slug(name),
        name=name.strip(),
        language=code or "",
        prompts=tuple(card for card in cards if isinstance(card, Prompt)),
        answers=tuple(card for card in cards if isinstance(card, Answer)),
    )
    return _as_it_will_be_read(pack)


def _about_the_whole(found: Sequence[Found], name: str, code: str | None) -> Iterator[str]:
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        yield gettext("A deck has a name of 1 to 60 characters.")
    if code is None:
        yield gettext("The language is a code or a name, such as de or German.")
    prompts = sum(isinstance(one.card, Prompt) for one in found)
    for have, most, text in (
        (prompts, MOST_PROMPTS, gettext("There are %(have)s prompts; at most %(most)s.")),
        (
            len(found) - prompts,
            MOST_ANSWERS,
            gettext("There are %(have)s answers; at most %(most)s."),
        ),
    ):
        if have > most:
            yield text % {"have": have, "most": most}


def _repeated(found: Sequence[Found]) -> Iterator[str]:
    """Texts and numbers that are given twice."""
    texts: dict[tuple[type, str], str] = {}
    numbers: dict[int, str] = {}
    for one in found:
        if (
            first := texts.setdefault((type(one.card), one.card.text.casefold()), one.where)
        ) != one.where:
            yield gettext("%(where)s: the same text as %(first)s.") % {
                "where": one.where,
                "first": first,
            }
        if one.numbered and (first := numbers.setdefault(one.card.number, one.where)) != one.where:
            yield gettext("%(where)s: the same number as %(first)s.") % {
                "where": one.where,
                "first": first,
            }


def _unwanted(found: Sequence[Found], name: str) -> Iterator[str]:
    """Words this site does not want (`accounts.words`)."""
    if is_unwanted(name):
        yield gettext("The deck name contains a blocked word.")
    if is_unwanted(*(one.card.text for one in found)):
        for one in found:
            if is_unwanted(one.card.text):
                yield gettext("%(where)s: contains a blocked word.") % {"where": one.where}


def _retired(
    found: Sequence[Found], before: Sequence[Prompt | Answer], highest: int
) -> Iterator[str]:
    """Numbers of cards that are gone are never given to others."""
    have = {card.number for card in before}
    for one in found:
        if one.numbered and one.card.number <= highest and one.card.number not in have:
            yield gettext("%(where)s: number %(number)s belonged to a card that is gone.") % {
                "where": one.where,
                "number": one.card.number,
            }


def _numbered(
    found: Sequence[Found], before: Sequence[Prompt | Answer], highest: int
) -> Iterator[Prompt | Answer]:
    """The cards with numbers: given ones, those of unchanged texts, new ones."""
    old = {(type(card), card.text): card.number for card in before}
    given = {one.card.number for one in found if one.numbered}
    following = count(max([highest, *given]) + 1)
    for one in found:
        if one.numbered:
            yield one.card
            continue
        number = old.get((type(one.card), one.card.text))
        if number is None or number in given:
            number = next(following)
        yield msgspec.structs.replace(one.card, number=number)


def _as_it_will_be_read(pack: Pack) -> Reading:
    """Nothing is kept that could not be read again, neither here nor from the file we give out."""
    if max(card.number for card in pack.cards) > LAST_NUMBER:
        return _no(
            gettext("After %(last)s there is no number for a new card.") % {"last": LAST_NUMBER}
        )
    if len(as_json(pack)) > LONGEST:
        return _no(gettext("The deck is too large: as JSON it would have more than 2 MiB."))
    try:
        return Reading(read(msgspec.json.encode(pack)))
    except PackError as why:
        return _no(say(why.text))


def _no(problem: str) -> Reading:
    return Reading(None, (problem,))
