"""Catalogs: stored content that options refer to by name, such as packs of Cards (`Rules.stock`).

A package with such content registers a catalog. It serves every game with an option of the same
name. Other code uses only the catalog and need not know about packs or cards.
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
"""Values of an option, each with its label."""


@dataclass(frozen=True)
class Catalog:
    """Stored content that one option of a game can refer to.

    A host may not see all of it. The host is None if there is none.
    """

    option: str
    finder: Callable[[int | None], Find]
    """Returns the lookup function for tables of this host."""
    choices: Callable[[Mapping[str, Any], int | None], Mapping[str, Choices]]
    """Returns the choices for each option at a table of this host, given its current options."""
    suits: Callable[[str], Any] = lambda language: None
    """Returns the value of the option for a new table in this language. None means the default."""


_catalogs: list[Catalog] = []


def register(catalog: Catalog) -> None:
    """Register a catalog. This is called when the app is ready."""
    _catalogs.append(catalog)


def finder(game: AnyGame, host_id: int | None) -> Find:
    """Return the function that looks up catalog content for this game at tables of this host."""
    catalog = _catalog_of(game)
    return catalog.finder(host_id) if catalog else nothing


def choices(
    game: AnyGame, options: Mapping[str, Any], host_id: int | None
) -> Mapping[str, Choices]:
    """Return the choices of each option that refers to a catalog, with their labels."""
    catalog = _catalog_of(game)
    return catalog.choices(options, host_id) if catalog else {}


def suited(game: AnyGame, language: str) -> Mapping[str, Any]:
    """Return the initial options of a new table that suit the language of its creator."""
    catalog = _catalog_of(game)
    value = catalog.suits(language) if catalog else None
    return {} if catalog is None or value is None else {catalog.option: value}


def usable_options(
    game: AnyGame, options: Mapping[str, Any], host_id: int | None
) -> dict[str, Any]:
    """Return these options, limited to content that this host may use.

    An option whose value the host may not choose, such as another user's deck, gets its default.
    """
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
