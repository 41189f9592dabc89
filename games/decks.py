"""Decks people bring for Cards: made of their files, kept, changed, found for a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import msgspec
from django.db.models import Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext

from accounts.words import is_unwanted
from games import notifications
from games.catalogs import Choices
from games.deck_files import LONGEST, MOST_PROBLEMS, Found, Unreadable, as_json, read_cards
from games.models import Deck, Room
from games.options import option_fields
from games.rules import GAMES
from games.rules.cards.packs import (
    BUILT_IN,
    LAST_NUMBER,
    MOST_ANSWERS,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    read,
)
from games.rules.core import Refused
from games.sentences import say
from games.writer import command

MOST_DECKS = 20
MOST_SHOWN = 100
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True)
class Reading:
    """What was made of a file: a pack, or sentences about everything that is wrong with it."""

    pack: Pack | None
    problems: tuple[str, ...] = ()


def read_deck(data: bytes, name: str, language: str, known: Deck | None = None) -> Reading:
    """A pack out of the bytes of a JSON or CSV file.

    Cards without a number keep the one they had in `known`, or are given a new one.
    """
    before = pack_of(known).cards if known else ()
    highest = known.highest if known else 0
    try:
        found, problems = read_cards(data)
    except Unreadable as why:
        return _no(str(why))
    problems += _about_the_whole(found, name, language)
    problems += _repeated(found)
    problems += _unwanted(found, name)
    problems += _retired(found, before, highest)
    if problems:
        return Reading(None, tuple(problems[:MOST_PROBLEMS]))
    cards = list(_numbered(found, before, highest))
    pack = Pack(
        slug=_base(name),
        name=name.strip(),
        language=language,
        prompts=tuple(card for card in cards if isinstance(card, Prompt)),
        answers=tuple(card for card in cards if isinstance(card, Answer)),
    )
    return _as_it_will_be_read(pack)


@command
def keep(owner_id: int, pack: Pack, known: Deck | None = None) -> Deck:
    """Keep a pack as a new deck of this person, or as what `known` holds from now on.

    Raise Refused: too_many_decks; deck_changed where `known` is not what it was.
    """
    deck = _unchanged(known) if known else _new(owner_id, pack.name)
    deck.name, deck.language = pack.name, pack.language
    deck.pack = msgspec.json.encode(msgspec.structs.replace(pack, slug=deck.slug)).decode()
    deck.highest = max(deck.highest, *(card.number for card in pack.cards))
    deck.prompts, deck.answers = len(pack.prompts), len(pack.answers)
    deck.save()
    _tell_tables()
    return deck


@command
def set_public(deck_id: int, public: bool) -> None:
    """Everybody may play with a deck, or its owner alone."""
    Deck.objects.filter(pk=deck_id).update(public=public)
    _tell_tables()


def hide(deck_id: int, hidden: bool) -> None:
    """Staff take a deck out of every table's choice, or put it back. Inside a command."""
    Deck.objects.filter(pk=deck_id).update(hidden=hidden)
    _tell_tables()


@command
def delete(deck_id: int) -> None:
    """A deck is gone for good. Matches keep the texts they began with."""
    Deck.objects.filter(pk=deck_id).delete()
    _tell_tables()


def _tell_tables() -> None:
    """Open pages of tables that choose from decks show what there is now."""
    choosing = [slug for slug, game in GAMES.items() if "packs" in option_fields(game)]
    rooms = Room.objects.filter(game__in=choosing, empty_since=None)
    for pk in rooms.exclude(status=Room.Status.CLOSED).values_list("pk", flat=True):
        notifications.notify_room_changed(pk)


def pack_of(deck: Deck) -> Pack:
    """The pack of a deck, under the slug the deck has now."""
    return msgspec.structs.replace(read(deck.pack), slug=deck.slug)


def visible(user_id: int | None) -> QuerySet[Deck]:
    """The decks this person may look at: their own, and public ones that are not taken out."""
    return Deck.objects.filter(Q(owner_id=user_id) | Q(public=True, hidden=False))


def usable(user_id: int | None) -> QuerySet[Deck]:
    """The decks this person may play with: those they may look at, unless taken out."""
    return visible(user_id).filter(hidden=False)


def finder(host_id: int | None) -> Callable[[str], Pack | None]:
    """How a table of this host finds the pack of a slug."""

    def find(slug: str) -> Pack | None:
        if not (slug.isascii() and slug.isprintable()):
            return None  # not every database can even be asked for it
        deck = usable(host_id).filter(slug=slug).first()
        return pack_of(deck) if deck else None

    return find


def shelf(host_id: int | None) -> Choices:
    """Every pack a table of this host may use: slug, and a name with its language and size."""
    built_in = (
        (p.slug, f"{p.name} ({p.language}: {len(p.prompts)}, {len(p.answers)})")
        for p in BUILT_IN.values()
    )
    brought = (
        (d.slug, f"{d.name} ({d.language}: {d.prompts}, {d.answers})")
        for d in usable(host_id).defer("pack")[:MOST_SHOWN]
    )
    return (*built_in, *brought)


def choices(options: Mapping[str, Any], host_id: int | None) -> Mapping[str, Choices]:
    """What the options that name packs and cards can be, by option, with words."""
    find = cache(finder(host_id))
    vetoed = tuple((card, text_of(card, find)) for card in options.get("vetoed", ()))
    return {"packs": shelf(host_id), "vetoed": vetoed}


def text_of(card: str, find: Callable[[str], Pack | None]) -> str:
    """The text of a card by its id; the id itself where the card is gone."""
    slug, _colon, number = card.partition(":")
    pack = BUILT_IN.get(slug) or find(slug)
    cards = pack.cards if pack else ()
    return next((c.text for c in cards if str(c.number) == number), card)


def new_slug(name: str) -> str:
    """A slug nobody has, made of a name."""
    base = _base(name)
    taken = set(Deck.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= {*BUILT_IN, "new"}
    at, slug = 1, base
    while slug in taken:
        at += 1
        slug = f"{base}-{at}"
    return slug


def _base(name: str) -> str:
    return slugify(name).replace("_", "-")[:30].strip("-") or "deck"


def _new(owner_id: int, name: str) -> Deck:
    if Deck.objects.filter(owner_id=owner_id).count() >= MOST_DECKS:
        raise Refused("too_many_decks", most=MOST_DECKS)
    return Deck(owner_id=owner_id, slug=new_slug(name))


def _unchanged(known: Deck) -> Deck:
    """The deck as it is now, if it still holds those cards by which the new ones got numbers."""
    now = Deck.objects.select_for_update().filter(pk=known.pk, updated_at=known.updated_at).first()
    if now is None:
        raise Refused("deck_changed")
    return now


def _about_the_whole(found: Sequence[Found], name: str, language: str) -> Iterator[str]:
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        yield gettext("A deck has a name of 1 to 60 characters.")
    if not LANGUAGE.fullmatch(language) or len(language) > 10:
        yield gettext("The language is a code such as en or de.")
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
        yield gettext("The name of the deck has a word that is not wanted here.")
    if is_unwanted(*(one.card.text for one in found)):
        for one in found:
            if is_unwanted(one.card.text):
                yield gettext("%(where)s: has a word that is not wanted here.") % {
                    "where": one.where
                }


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
