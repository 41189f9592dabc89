"""Catalogs: what is kept here for options that only name it, as Cards names packs (`Game.stock`).

A package that keeps such things registers a catalog, which serves every game with an option of
that name; the rest asks the catalog, and knows neither pack nor card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.contract.core import Refused
from games.contract.data import pack
from games.contract.game import AnyGame
from games.engine.options import Find, nothing, option_fields, read_options

Choices = tuple[tuple[str, str], ...]
"""Values of an option, each with the words people read."""


@dataclass(frozen=True)
class Catalog:
    """What is kept for the games with this option; a host (None: nobody) may not find all of it."""

    option: str
    finder: Callable[[int | None], Find]
    """How a table of this host finds what an option names."""
    choices: Callable[[Mapping[str, Any], int | None], Mapping[str, Choices]]
    """What the options can be at a table of this host, given those in force, by option."""
    suits: Callable[[str], Any] = lambda language: None
    """What the option is at a new table of somebody who reads this language; None: as usual."""


_catalogs: list[Catalog] = []


def register(catalog: Catalog) -> None:
    """From now on, games are served from this catalog, too (called when the app is ready)."""
    _catalogs.append(catalog)


def finder(game: AnyGame, host_id: int | None) -> Find:
    """How a table of this host finds what the options of the game name."""
    catalog = _catalog_of(game)
    return catalog.finder(host_id) if catalog else nothing


def choices(
    game: AnyGame, options: Mapping[str, Any], host_id: int | None
) -> Mapping[str, Choices]:
    """What the options of a game that name something can be, by option, with words."""
    catalog = _catalog_of(game)
    return catalog.choices(options, host_id) if catalog else {}


def suited(game: AnyGame, language: str) -> Mapping[str, Any]:
    """The options of a new table that go by the language of who opens it."""
    catalog = _catalog_of(game)
    value = catalog.suits(language) if catalog else None
    return {} if catalog is None or value is None else {catalog.option: value}


def usable_options(
    game: AnyGame, options: Mapping[str, Any], host_id: int | None
) -> dict[str, Any]:
    """These options at a table of this host's. What cannot be chosen there, as a deck of somebody
    else's, is left at its default."""
    try:
        return dict(pack(read_options(game, options, finder(game, host_id))))
    except Refused as refused:
        left = str(refused.facts.get("option"))
        if left not in options:
            raise
        return usable_options(game, {k: v for k, v in options.items() if k != left}, host_id)


def _catalog_of(game: AnyGame) -> Catalog | None:
    fields = option_fields(game)
    return next((catalog for catalog in _catalogs if catalog.option in fields), None)
