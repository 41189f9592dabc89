"""The templates of what is pushed at every move: Jinja2, because rendering is what costs."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.utils.translation import ngettext
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.bccache import Bucket
from markupsafe import Markup

from accounts.faces import address_of
from games.engine.table_policy import BOT
from games.language.reasons import reasons
from games.language.sentences import catalogue, translated
from games.language.terms import spaced, term
from games.regions.region import Region
from games.rules.words import after, begins
from games.tables.table import Table


class Regions(Environment):
    """Jinja's environment, with names for all templates that are a plain mapping."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What every template knows. Jinja chains maps, so that they may change, and then compares
        the chains whenever a template imports another: a tenth of what drawing cost."""
        return {**self.globals, **(d or {})}


class Compiled(BytecodeCache):
    """Templates as they were compiled first, for the environments of all languages."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


compiled = Compiled()


@cache
def environment(language: str | None = None) -> Environment:
    """The environment of a language (None: whichever is active): everything escaped, everything
    named exists.

    Each has its own words, so that what templates import from others is made once, and not at every
    drawing anew. Jinja does so where they are imported without context.
    """
    found = Regions(
        loader=FileSystemLoader(settings.BASE_DIR / "templates" / "regions"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=settings.DEBUG,
        bytecode_cache=compiled,
    )
    known = catalogue(language) if language is not None else None
    found.filters["after"] = lambda text, before: after(before, text)
    found.filters["begins"] = begins
    found.filters["short"] = lambda name: name.removesuffix(BOT)
    found.globals |= {
        "_": known.__getitem__ if known is not None else translated,
        "ngettext": known.plural if known is not None else ngettext,
        "static": static,
        "spaced": spaced,
        "reasons": reasons,
        "face": address_of,
        "look": partial(look, language=language),
        "who": who,
    }
    return found


@cache
def look(game: str, name: str, language: str | None = None) -> Template:
    """The template of a game for this, else the one of any game."""
    names = [f"{game}/{name}.html.jinja", f"generic/{name}.html.jinja"]
    return environment(language).select_template(names)


@cache
def fields_shown(game: str, name: str) -> frozenset[str] | None:
    """The fields of a view that this region can show: those the game's own templates name.

    None: all, where it is drawn as for any game. What changes in other fields need not be drawn.
    """
    if not has_own_look(game, name):
        return None
    sources = (Path(settings.BASE_DIR) / "templates" / "regions" / game).glob("*.jinja")
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    return frozenset(re.findall(r"\bview\.(?:get\(.)?(\w+)", text))


@lru_cache(maxsize=2000)
def who(name: str, bot: bool, sheet: int | None, size: int = 24) -> Markup:
    """A face and a name, which stand in many places and never change."""
    module: Any = environment().get_template("generic/who.html.jinja").module
    drawn: Markup = module.who(name, bot, sheet, size)
    return drawn


@cache
def has_own_look(game: str, name: str) -> bool:
    """Whether a game draws this region differently from all others."""
    return bool((look(game, name).name or "").startswith(f"{game}/"))


def render(table: Table, region: Region, language: str) -> str:
    """A region as HTML, drawn once for all who share it. The language is the one that is active."""
    if language not in region.drawn:
        region.drawn[language] = look(table.game.slug, region.template, language).render(
            id=region.id,
            items=[Markup(render(table, item, language)) for item in region.items],
            game=table.game.slug,
            options=table.match.options if table.match else None,
            term=lambda word: term(table.words, word, language),
            **region.part,
        )
    return region.drawn[language]
