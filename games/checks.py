"""`manage.py check` names what a game still lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning

from games.rules import GAMES
from games.rules.choices import move_types
from games.udp.lines import Dialect


def games_are_complete(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Rules for people, bots, words for every move, and a look of its own."""
    found: list[CheckMessage] = []
    templates = settings.BASE_DIR / "templates"
    for slug, game in GAMES.items():
        words = game.words(game.options())
        if not game.manual(game.options(), None):
            found.append(Warning(f"{game.name} has no rules for people.", id="games.W001"))
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


def settings_are_usable(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What stands in the environment can be meant."""
    found: list[CheckMessage] = []
    for name, value, allowed in (
        ("MIA_UDP_PORT", settings.MIA_UDP_PORT, range(1, 65536)),
        ("MIA_ANSWER_MS", settings.MIA_ANSWER_MS, range(1, 600_001)),
        ("MIA_KEEP_ROUNDS", settings.MIA_KEEP_ROUNDS, range(1, 1 << 31)),
        ("MIA_FORGET_DAYS", settings.MIA_FORGET_DAYS, range(1, 36_501)),
    ):
        if value is not None and value not in allowed:
            text = f"{name} is a number from {allowed[0]} to {allowed[-1]}, not {value}."
            found.append(Error(text, id="games.E001"))
    if settings.MIA_DIALECT not in get_args(Dialect):
        text = f"MIA_DIALECT is one of {', '.join(get_args(Dialect))}."
        found.append(Error(text, id="games.E002"))
    return found
