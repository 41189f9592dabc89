"""From the names of packs to the cards of a match, and whether they suffice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from games.rules.cards.packs import BUILT_IN, Pack
from games.rules.cards.state import BlackCard, Options, Stocked, WhiteCard
from games.rules.core import Refused

_CARD_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}:[0-9]{1,9}")
"""Everybody at a table is shown what it vetoes: that must be ids, and no other text."""


def stock(options: Options, find: Callable[[str], Any]) -> Stocked:
    """The options with their packs: built in, or what `find(slug)` knows. Raise Refused."""
    if isinstance(options, Stocked):
        return options
    packs = tuple(_pack(slug, find) for slug in options.packs)
    return Stocked(**_fields(options), stock=packs)


def plain(options: Options) -> Options:
    """The options as they are kept and sent: without the packs."""
    return Options(**_fields(options))


def black_cards(options: Options) -> tuple[BlackCard, ...]:
    """Every prompt of the packs, in pack and number order, without those the table vetoed."""
    return tuple(
        BlackCard(id_, card.text, card.cards_to_pick, card.cards_to_draw)
        for pack in stock(options, _nothing).stock
        for card in sorted(pack.prompts, key=lambda card: card.number)
        if (id_ := f"{pack.slug}:{card.number}") not in options.vetoed
    )


def white_cards(options: Options) -> tuple[WhiteCard, ...]:
    """Every answer of the packs, in pack and number order, without those the table vetoed."""
    return tuple(
        WhiteCard(id_, card.text)
        for pack in stock(options, _nothing).stock
        for card in sorted(pack.answers, key=lambda card: card.number)
        if (id_ := f"{pack.slug}:{card.number}") not in options.vetoed
    )


def check(options: Options, n: int | None) -> None:
    """Cross checks of the options; with n, that there are seats and cards enough."""
    stocked = stock(options, _nothing)
    if len(set(options.packs)) < len(options.packs):
        raise Refused("bad_options", option="packs", allowed=tuple(dict.fromkeys(options.packs)))
    if not all(map(_CARD_ID.fullmatch, options.vetoed)):
        raise Refused("bad_options", option="vetoed", allowed="pack:number")
    if n is None:
        return
    if options.min_players_to_continue > n:
        allowed = f"2–{n}"
        raise Refused("bad_options", option="minPlayersToContinue", allowed=allowed)
    prompts = black_cards(stocked)
    if not prompts:
        raise Refused("not_enough_cards", needed=1, have=0)
    most_drawn = max(card.cards_to_draw for card in prompts)
    check_white(options, n, most_drawn, len(white_cards(stocked)))


def check_white(options: Options, n: int, most_drawn: int, have: int) -> None:
    """That so many answers fill the largest hands of n seats: then no deck ever runs dry."""
    needed = n * (options.hand_size + most_drawn)
    if have < needed:
        raise Refused("not_enough_cards", needed=needed, have=have)


def _pack(slug: str, find: Callable[[str], Any]) -> Pack:
    pack = BUILT_IN.get(slug) or find(slug)
    if pack is None:
        raise Refused("bad_options", option="packs", allowed=tuple(BUILT_IN))
    assert isinstance(pack, Pack)
    return pack


def _nothing(slug: str) -> None:
    """A house without packs of its own."""


def _fields(options: Options) -> dict[str, Any]:
    every = msgspec.structs.asdict(options)
    return {name: every[name] for name in Options.__struct_fields__}
