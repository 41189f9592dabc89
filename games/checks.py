"""`manage.py check` names what a game still lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Info, Warning

from games.rules import GAMES
from games.rules.choices import move_types


def games_are_complete(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Rules page, bots, words for every move, and a look of its own."""
    found: list[CheckMessage] = []
    templates = settings.BASE_DIR / "templates"
    for slug, game in GAMES.items():
        words = game.words(game.options())
        if not (templates / "rules" / f"{slug}.html").exists():
            found.append(Warning(f"{game.name} has no rules page.", id="games.W001"))
        if "normal" not in game.bots:
            found.append(Warning(f"{game.name} has no good bot.", id="games.W002"))
        for move in move_types(game.moves):
            if not words.move(move).id:
                found.append(Warning(f"{game.name}: no words for {move}.", id="games.W003"))
        if not (templates / "regions" / slug).is_dir():
            look = f"{game.name} has no look of its own; the generic regions draw it."
            found.append(Info(look, id="games.I001"))
        if game.recap is None:
            found.append(Info(f"{game.name} is not looked back on at the end.", id="games.I002"))
    return found
