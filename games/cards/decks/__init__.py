"""Stores, changes and finds the decks that users upload for Cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Sum
from django.utils.text import slugify

from games.cards.rules.packs import BUILT_IN, Pack, read
from games.cards.rules.texts import BUILT_IN_TEXTS, Find, Texts, texts_of
from games.contract.core import Refused
from games.engine.bounded_cache import BoundedCache
from games.engine.catalogs import Choices
from games.engine.writer import command
from games.models import Deck, OctetLength
from games.rooms.decks import tell_tables, usable
from games.rooms.members import must_not_be_muted

MOST_DECKS = 20
MOST_STORED = 16 << 20
"""Maximum bytes of all decks of a user."""
MOST_SHOWN = 100
MOST_BYTES = 32 << 20
"""Maximum bytes of cached cards."""

_cards: BoundedCache[tuple[int, datetime], Texts] = BoundedCache(
    MOST_BYTES, lambda cards: cards.size
)


@command
def keep(owner_id: int, pack: Pack, known: Deck | None = None) -> Deck:
    """Store a pack as a new deck of this user, or as the new content of `known`.

    Raise Refused with code `too_many_decks`, `decks_too_large` or `muted`, or `deck_changed` if
    `known` is outdated.
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
    tell_tables()
    return deck


def pack_of(deck: Deck) -> Pack:
    """Return the pack of a deck, with the deck's current slug."""
    return msgspec.structs.replace(read(deck.pack), slug=deck.slug)


def finder(host_id: int | None) -> Find:
    """Return a function that finds uploaded packs by slug, for tables of this host."""

    def find(slug: str) -> Texts | None:
        if not (slug.isascii() and slug.isprintable()):
            return None  # some databases cannot query such text
        deck = usable(host_id).filter(slug=slug).defer("pack").first()
        return cards_of(deck) if deck else None

    return find


def cards_of(deck: Deck) -> Texts:
    """Return the cards of a deck, cached per version."""
    version = (deck.pk, deck.updated_at)
    found = _cards.get(version)
    if found is None:
        found = texts_of(msgspec.json.decode(deck.pack, type=Pack))
        _cards.put(version, found)
    return found


def shelf(host_id: int | None) -> Choices:
    """Return every pack that this host's tables may use.

    Each has a slug, and a name with language and size.
    """
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
    """Return the labelled choices for the options that refer to packs and cards."""
    find = finder(host_id)
    vetoed = texts_of_cards(frozenset(options.get("vetoed", ())), find)
    ordered = tuple((card, vetoed[card]) for card in options.get("vetoed", ()))
    return {"packs": shelf(host_id), "vetoed": ordered}


def in_language(language: str) -> list[str] | None:
    """Return the slugs of the built-in packs in a language, or None if there are none."""
    found = [slug for slug, one in BUILT_IN.items() if language.casefold().startswith(one.language)]
    return found or None


def text_of(card: str, find: Find) -> str:
    """Return the text of a card, or its id if the card no longer exists."""
    return texts_of_cards([card], find)[card]


def texts_of_cards(cards: Collection[str], find: Find) -> Mapping[str, str]:
    """Return the texts of cards by id. If a card no longer exists, its id is used as the text."""
    slugs = {card.partition(":")[0] for card in cards}
    packs = [BUILT_IN_TEXTS.get(slug) or find(slug) for slug in slugs]
    found = {c.id: c.text for p in packs if p for c in p.cards if c.id in cards}
    return {card: found.get(card, card) for card in cards}


def new_slug(name: str) -> str:
    """Return an unused slug for a name."""
    base = base_slug(name)
    taken = set(Deck.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= {*BUILT_IN, "new"}
    at, slug = 1, base
    while slug in taken:
        at += 1
        slug = f"{base}-{at}"
    return slug


def base_slug(name: str) -> str:
    """Return the slug of a name, without the number that would make it unique."""
    return slugify(name).replace("_", "-")[:30].strip("-") or "deck"


def _stored(owner_id: int, besides: int) -> int:
    """Return the total size in bytes of this user's other decks."""
    others = Deck.objects.filter(owner_id=owner_id).exclude(pk=besides)
    return int(others.aggregate(bytes=Sum(OctetLength("pack")))["bytes"] or 0)


def _new(owner_id: int, name: str) -> Deck:
    if Deck.objects.filter(owner_id=owner_id).count() >= MOST_DECKS:
        raise Refused("too_many_decks", most=MOST_DECKS)
    return Deck(owner_id=owner_id, slug=new_slug(name))


def _unchanged(known: Deck) -> Deck:
    """Lock and return the deck. Raise Refused if it has changed since `known` was loaded."""
    now = Deck.objects.select_for_update().filter(pk=known.pk, updated_at=known.updated_at).first()
    if now is None:
        raise Refused("deck_changed")
    return now
