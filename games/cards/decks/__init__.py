"""Decks people bring for Cards: kept, changed, found for a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q, QuerySet, Sum
from django.utils.text import slugify

from games.cards.rules.packs import BUILT_IN, Pack, read
from games.cards.rules.texts import BUILT_IN_TEXTS, Find, Texts, texts_of
from games.contract.core import Refused
from games.engine import notifications
from games.engine.bounded_cache import BoundedCache
from games.engine.catalogs import Choices
from games.engine.options import option_fields
from games.engine.writer import command
from games.models import Deck, OctetLength, Room
from games.registry import GAMES
from games.rooms.members import must_not_be_muted

MOST_DECKS = 20
MOST_STORED = 16 << 20
"""Maximum bytes of all decks of a person."""
MOST_SHOWN = 100
MOST_BYTES = 32 << 20
"""Maximum memory for cached cards of decks."""

_cards: BoundedCache[tuple[int, datetime], Texts] = BoundedCache(
    MOST_BYTES, lambda cards: cards.size
)


@command
def keep(owner_id: int, pack: Pack, known: Deck | None = None) -> Deck:
    """Keep a pack as a new deck of this person, or as what `known` holds from now on.

    Raise Refused: too_many_decks; decks_too_large; deck_changed where `known` is not what it was;
    muted.
    """
    must_not_be_muted(owner_id)
    deck = _unchanged(known) if known else _new(owner_id, pack.name)
    deck.name, deck.language = pack.name, pack.language
    source = msgspec.json.encode(msgspec.structs.replace(pack, slug=deck.slug))
    deck.pack, before = source.decode(), len(deck.pack.encode())
    others = _stored(owner_id, besides=deck.pk or 0)
    if len(source) > before and others + len(source) > MOST_STORED:
        raise Refused("decks_too_large", most=MOST_STORED >> 20)
    deck.highest = max(deck.highest, *(card.number for card in pack.cards))
    deck.prompts, deck.answers = len(pack.prompts), len(pack.answers)
    deck.save()
    _tell_tables()
    return deck


@command
def set_public(deck_id: int, public: bool) -> None:
    """Share a deck with everybody, or make it private. Raise Refused("muted")."""
    if public:
        must_not_be_muted(Deck.objects.values_list("owner_id", flat=True).get(pk=deck_id))
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


def finder(host_id: int | None) -> Find:
    """Return the function by which a table of this host finds packs by slug."""

    def find(slug: str) -> Texts | None:
        if not (slug.isascii() and slug.isprintable()):
            return None  # not every database can even be asked for it
        deck = usable(host_id).filter(slug=slug).defer("pack").first()
        return cards_of(deck) if deck else None

    return find


def cards_of(deck: Deck) -> Texts:
    """The cards of a deck, read once for each of its versions."""
    version = (deck.pk, deck.updated_at)
    found = _cards.get(version)
    if found is None:
        found = texts_of(msgspec.json.decode(deck.pack, type=Pack))
        _cards.put(version, found)
    return found


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
    find = finder(host_id)
    vetoed = texts_of_cards(frozenset(options.get("vetoed", ())), find)
    ordered = tuple((card, vetoed[card]) for card in options.get("vetoed", ()))
    return {"packs": shelf(host_id), "vetoed": ordered}


def in_language(language: str) -> list[str] | None:
    """The packs that come with Parlour in a language, by their slugs; None where there are none."""
    found = [slug for slug, one in BUILT_IN.items() if language.casefold().startswith(one.language)]
    return found or None


def text_of(card: str, find: Find) -> str:
    """The text of a card by its id; the id itself where the card is gone."""
    return texts_of_cards([card], find)[card]


def texts_of_cards(cards: Collection[str], find: Find) -> Mapping[str, str]:
    """The texts of cards by their ids; the id itself where a card is gone."""
    slugs = {card.partition(":")[0] for card in cards}
    packs = [BUILT_IN_TEXTS.get(slug) or find(slug) for slug in slugs]
    found = {c.id: c.text for p in packs if p for c in p.cards if c.id in cards}
    return {card: found.get(card, card) for card in cards}


def new_slug(name: str) -> str:
    """A slug nobody has, made of a name."""
    base = base_slug(name)
    taken = set(Deck.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= {*BUILT_IN, "new"}
    at, slug = 1, base
    while slug in taken:
        at += 1
        slug = f"{base}-{at}"
    return slug


def base_slug(name: str) -> str:
    """What a slug of this name begins with."""
    return slugify(name).replace("_", "-")[:30].strip("-") or "deck"


def _stored(owner_id: int, besides: int) -> int:
    """Return the size in bytes of the other decks of this person."""
    others = Deck.objects.filter(owner_id=owner_id).exclude(pk=besides)
    return int(others.aggregate(bytes=Sum(OctetLength("pack")))["bytes"] or 0)


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
