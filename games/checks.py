"""System checks that report missing parts of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error, Info, Warning

from games.contract.choices import move_types
from games.contract.game import LONGEST_LEVEL, LONGEST_SLUG, AnyGame
from games.contract.wording import Words
from games.engine.options import option_fields
from games.pages.files import templates_of
from games.registry import GAMES
from games.tables.sentences import NOTICES
from games.tables.terms import SHARED

NEVER_SHOWN = {"players", "phase", "flat"}
"""Fields of a view that the generic page does not show as fields."""

REFUSED = re.compile(r"""\bRefused\(\s*["'](\w+)["']""")


def games_are_complete(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that each game has a rules text, bots, templates and a label for every move."""
    found: list[CheckMessage] = []
    for slug, game in GAMES.items():
        if game.slug != slug:
            text = f"{game.name} has the slug {game.slug!r}: change it to {slug!r}, its folder."
            found.append(Error(text, id="games.E005"))
        found += names_fit(game)
        words = game.telling.words(game.rules.options())
        if not game.telling.manual(game.rules.options(), None):
            found.append(Warning(f"{game.name} has no rules for people.", id="games.W001"))
        if "normal" not in game.bots.levels:
            found.append(Warning(f"{game.name} has no bot of the level normal.", id="games.W002"))
        for move in move_types(game.rules.moves):
            if not words.move(move).id:
                found.append(
                    Warning(f"{game.name} has no words for the move {move}.", id="games.W003")
                )
        if not templates_of(slug).is_dir():
            look = f"{game.name} has no templates. The generic regions are used."
            found.append(Info(look, id="games.I001"))
        if game.telling.recap is None:
            found.append(Info(f"{game.name} has no recap at the end of matches.", id="games.I002"))
        for name in missing_terms(game):
            text = f"{game.name} has no term for {name!r}: add it to the terms of its words."
            found.append(Warning(text, id="games.W004"))
        for code in missing_refusals(game):
            text = f"{game.name} has no sentence for the refusal {code!r}: add it to its words."
            found.append(Error(text, id="games.E004"))
    return found


def names_fit(game: AnyGame) -> Iterator[CheckMessage]:
    """Find names that are too long for their columns, which only some databases reject."""
    for kind, most, names in (
        ("slug", LONGEST_SLUG, [game.slug]),
        ("bot level", LONGEST_LEVEL, game.bots.levels),
    ):
        for name in names:
            if len(name) > most:
                text = f"{game.name}: the {kind} {name!r} is longer than {most} letters."
                yield Error(text, id="games.E006")


def missing_terms(game: AnyGame) -> list[str]:
    """Return the names of options, values, arguments and view fields that lack a label."""
    words = game.telling.words(game.rules.options())
    names: list[str] = []
    for name, schema in option_fields(game).items():
        if name not in words.undrawn:
            names += [name, *(value for value in schema.get("enum", ()) if isinstance(value, str))]
    for move in move_types(game.rules.moves).values():
        names += move.__struct_encode_fields__
    names += [
        name for name in game.rules.view_type.__struct_encode_fields__ if name not in NEVER_SHOWN
    ]
    return sorted({name for name in names if name not in words.terms and name not in SHARED})


def missing_refusals(game: AnyGame) -> list[str]:
    """Return the refusal codes that a game raises but has no message for."""
    words = game.telling.words(game.rules.options())
    otherwise = _refusal(words, "no such code")
    return sorted(
        code
        for code in _codes(game)
        if code not in NOTICES and _refusal(words, code) in (None, "", code, otherwise)
    )


def _codes(game: AnyGame) -> Iterator[str]:
    """Yield the first argument of each `Refused(...)` in the source of a game."""
    package = find_spec(game.rules.apply.__module__.rpartition(".")[0])
    for folder in (package and package.submodule_search_locations) or ():
        for path in Path(folder).rglob("*.py"):
            yield from REFUSED.findall(path.read_text(encoding="utf-8"))


def _refusal(words: Words[Any], code: str) -> str | None:
    """Return the message for a refusal with its facts filled in, or None if there is none."""
    try:
        return words.refusal(code, _AnyFacts()).id
    except KeyError:
        return None


class _AnyFacts(dict[str, Any]):
    def __missing__(self, name: str) -> int:
        return 1
