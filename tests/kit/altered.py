"""Games with some parts replaced, for tests that need a fault or a shortcut."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from games.contract.game import AnyGame

PARTS = ("rules", "bots", "telling", "web")


def altered(game: AnyGame, **changes: Any) -> AnyGame:
    """Return the game with these members replaced, whichever part they belong to."""
    for name in PARTS:
        part = getattr(game, name)
        own = {field.name for field in fields(part)} & changes.keys()
        if own:
            game = replace(game, **{name: replace(part, **{key: changes.pop(key) for key in own})})
    return replace(game, **changes)
