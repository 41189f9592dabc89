"""Resolves pack names to the cards of a match, and checks that there are enough cards."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from games.cards.rules.state import Options, State, Stocked
from games.cards.rules.texts import BUILT_IN_TEXTS, Find, Stock, Texts
from games.contract.core import Refused

_CARD_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}:[0-9]{1,9}")
"""Pattern of vetoed ids. Everybody at a table sees the ids, so no other text is allowed."""


def nothing(slug: str) -> None:
    """Return None. This is the default lookup if there are only built-in packs."""


def stock(options: Options, find: Find = nothing) -> Stocked:
    """Return the options with their packs, which are built in or come from `find(slug)`.

    Raise Refused if a pack is missing.
    """
    if isinstance(options, Stocked):
        return options
    return Stocked(**_fields(options), stock=Stock([_texts(slug, find) for slug in options.packs]))


def restock(options: Options, state: State) -> Stocked:
    """Return the options with the packs that this match was started with."""
    return Stocked(**_fields(options), stock=state.stock)


def plain(options: Options) -> Options:
    """Return the options in the form that is stored and sent, without the packs."""
    return Options(**_fields(options))


def check(options: Options, n: int | None) -> None:
    """Check that the options are consistent.

    If `n` is given, also check that seats and cards suffice.
    """
    stocked = stock(options)
    if len(set(options.packs)) < len(options.packs):
        raise Refused("bad_options", option="packs", allowed=tuple(dict.fromkeys(options.packs)))
    if not all(map(_CARD_ID.fullmatch, options.vetoed)):
        raise Refused("bad_options", option="vetoed", allowed="pack:number")
    if n is None:
        return
    if options.min_players_to_continue > n:
        allowed = f"2–{n}"
        raise Refused("bad_options", option="minPlayersToContinue", allowed=allowed)
    prompts, answers = stocked.stock.playable(options.vetoed)
    if not prompts:
        raise Refused("not_enough_cards", needed=1, have=0)
    most_drawn = max(stocked.stock.black(number).cards_to_draw for number in prompts)
    check_white(options, n, most_drawn, len(answers))


def check_white(options: Options, n: int, most_drawn: int, have: int) -> None:
    """Check that there are enough answers for the largest hands of n seats, so that the deck never
    runs out.
    """
    needed = n * (options.hand_size + most_drawn)
    if have < needed:
        raise Refused("not_enough_cards", needed=needed, have=have)


def _texts(slug: str, find: Find) -> Texts:
    texts = BUILT_IN_TEXTS.get(slug) or find(slug)
    if texts is None:
        raise Refused("bad_options", option="packs", allowed=tuple(BUILT_IN_TEXTS))
    return texts


def _fields(options: Options) -> dict[str, Any]:
    every = msgspec.structs.asdict(options)
    return {name: every[name] for name in Options.__struct_fields__}
