"""Reads an uploaded file as a deck, or reports all problems of the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import msgspec
from django.utils.translation import gettext

from accounts.characters import is_seen
from accounts.words import is_unwanted
from games.cards.decks import base_slug, pack_of
from games.cards.decks.decoding import LONGEST, Unreadable, decoded
from games.cards.decks.files import (
    MOST_PROBLEMS,
    Found,
    as_json,
    packs_of_file,
    read_cards,
    source_of,
)
from games.cards.decks.json_files import FilePack
from games.cards.decks.languages import language_code
from games.cards.rules.packs import (
    LAST_NUMBER,
    MOST_ANSWERS,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    read,
)
from games.models import Deck
from games.tables.sentences import say


@dataclass(frozen=True)
class Reading:
    """Result of reading a file: a pack, packs to choose from, or the problems of the file."""

    pack: Pack | None
    problems: tuple[str, ...] = ()
    unshown: int = 0
    """Number of problems that are not listed."""
    source: str = ""
    """Text that can be read again with the same result.

    If there are problems, the text contains only the valid cards.
    """
    offered: tuple[FilePack, ...] = ()
    """The packs of the file, if it contains several and none was selected."""


def read_deck(
    data: bytes,
    name: str,
    language: str,
    known: Deck | None = None,
    chosen: Collection[int] = (),
) -> Reading:
    """Read a pack from the bytes of a file.

    Cards without a number keep the number they had in `known`, or get a new one. If the file
    contains several packs, `chosen` are the positions of the packs to read.
    """
    code = language_code(language)
    before = pack_of(known).cards if known else ()
    highest = known.highest if known else 0
    try:
        text = decoded(data)
        packs = packs_of_file(text)
        if len(packs) > 1:
            wanted = [pack for at, pack in enumerate(packs) if at in chosen]
            if not wanted:
                return Reading(None, source=text, offered=tuple(packs))
            packs = wanted
        found, problems = read_cards(text, packs)
    except Unreadable as why:
        return _no(str(why))
    about_all = list(_about_the_whole(found, name, code))
    about_cards = [
        *_repeated(found),
        *_unseen(found),
        *_unwanted(found),
        *_retired(found, before, highest),
    ]
    problems += about_all + [problem for _one, problem in about_cards]
    if problems:
        wrong = {id(one) for one, _problem in about_cards}
        good = [one for one in found if id(one) not in wrong]
        return Reading(
            None,
            tuple(problems[:MOST_PROBLEMS]),
            unshown=max(0, len(problems) - MOST_PROBLEMS),
            source=source_of(good) if good and not about_all else "",
        )
    cards = list(_numbered(found, before, highest))
    pack = Pack(
        slug=base_slug(name),
        name=name.strip(),
        language=code or "",
        prompts=tuple(card for card in cards if isinstance(card, Prompt)),
        answers=tuple(card for card in cards if isinstance(card, Answer)),
    )
    return _as_it_will_be_read(pack, source_of(found))


def _about_the_whole(found: Sequence[Found], name: str, code: str | None) -> Iterator[str]:
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable() or not is_seen(name):
        yield gettext("A deck has a name of 1 to 60 characters.")
    if is_unwanted(name):
        yield gettext("The deck name contains a blocked word.")
    if code is None:
        yield gettext("The language must be a code or a name, such as de or German.")
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


def _repeated(found: Sequence[Found]) -> Iterator[tuple[Found, str]]:
    """Yield cards that repeat the text or number of an earlier card."""
    texts: dict[tuple[type, str], str] = {}
    numbers: dict[int, str] = {}
    for one in found:
        if (
            first := texts.setdefault((type(one.card), one.card.text.casefold()), one.where)
        ) != one.where:
            places = {"where": one.where, "first": first}
            yield one, gettext("%(where)s: the same text as %(first)s.") % places
        if one.numbered and (first := numbers.setdefault(one.card.number, one.where)) != one.where:
            places = {"where": one.where, "first": first}
            yield one, gettext("%(where)s: the same number as %(first)s.") % places


def _unseen(found: Sequence[Found]) -> Iterator[tuple[Found, str]]:
    """Yield cards whose text has no visible character."""
    for one in found:
        if not is_seen(one.card.text):
            text = gettext("%(where)s: the text has no visible characters.")
            yield one, text % {"where": one.where}


def _unwanted(found: Sequence[Found]) -> Iterator[tuple[Found, str]]:
    """Yield cards with blocked words (`accounts.words`)."""
    if is_unwanted(*(one.card.text for one in found)):
        for one in found:
            if is_unwanted(one.card.text):
                where = {"where": one.where}
                yield one, gettext("%(where)s: contains a blocked word.") % where


def _retired(
    found: Sequence[Found], before: Sequence[Prompt | Answer], highest: int
) -> Iterator[tuple[Found, str]]:
    """Yield cards that have the number of a deleted card. Such numbers are never used again."""
    have = {card.number for card in before}
    for one in found:
        if one.numbered and one.card.number <= highest and one.card.number not in have:
            number = {"where": one.where, "number": one.card.number}
            yield (
                one,
                gettext("%(where)s: number %(number)s belonged to a card that is gone.") % (number),
            )


def _numbered(
    found: Sequence[Found], before: Sequence[Prompt | Answer], highest: int
) -> Iterator[Prompt | Answer]:
    """Yield the cards with their numbers.

    A number in the file is kept. Without one, the text keeps its previous number or gets a new one.
    """
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


def _as_it_will_be_read(pack: Pack, source: str) -> Reading:
    """Return the pack, or the reason why it could not be read back after storage or export."""
    if max(card.number for card in pack.cards) > LAST_NUMBER:
        return _no(
            gettext("After %(last)s there is no number for a new card.") % {"last": LAST_NUMBER}
        )
    if len(as_json(pack)) > LONGEST:
        return _no(gettext("The deck is too large: as JSON it would have more than 2 MiB."))
    try:
        return Reading(read(msgspec.json.encode(pack)), source=source)
    except PackError as why:
        return _no(say(why.text))


def _no(problem: str) -> Reading:
    return Reading(None, (problem,))
