"""Rendering of regions with Jinja2. Regions are pushed at every move, so rendering must be fast."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import ngettext
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
)
from markupsafe import Markup, escape

from accounts.faces import address_of, picture_of
from accounts.isolation import isolated
from accounts.names import page_of
from accounts.templatetags.isolation import listed
from games.contract.words import after, begins
from games.pages.files import templates_of
from games.pages.names import face_at, fitted, short
from games.pages.region import Region
from games.pages.translating import Translating
from games.registry import GAMES
from games.tables.report_reasons import reasons
from games.tables.sentences import catalogue, translated
from games.tables.table import Table
from games.tables.terms import term

SHARED = settings.BASE_DIR / "templates" / "regions"
DIGITS_SHOWN = 12
HYPHENED = re.compile(r"(?<![\w&#-])\d-\d(?![\w-])")
"""Two digits with a hyphen, such as dice in an announcement."""


@cache
def environment(language: str | None = None) -> Environment:
    """Return the strict, autoescaping environment of a language. None means the active language.

    Each environment has its own messages, so templates can be imported without context. Jinja then
    creates the imported module only once instead of at every rendering.
    """
    known = catalogue(language) if language is not None else None
    found = Environment(
        loader=ChoiceLoader([PrefixLoader(_of_games()), FileSystemLoader(SHARED)]),
        extensions=[Translating],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=settings.DEBUG,
    )
    found.extend(catalogue=known)
    found.filters |= {
        "after": lambda text, before: after(before, text),
        "begins": begins,
        "digest": digest,
        "begun": capitalized,
        "face_of": address_of,
        "isolated": isolated,
        "listed": listed,
        "page_of": page_of,
        "picture": picture_of,
        "template_of": partial(game_template, language=language),
        "short": short,
        "shown": lambda name: isolated(short(name)),
        "static": static,
        "unbroken": unbroken,
        "url": url,
        "who": who,
    }
    # Jinja copies and compares the globals at each rendering and import, so keep them few.
    found.globals = {name: found.globals[name] for name in ("dict", "namespace", "range")}
    found.globals |= {
        "_": known.__getitem__ if known is not None else translated,
        "ngettext": known.plural if known is not None else ngettext,
        "reasons": reasons,
    }
    return found


def _of_games() -> dict[str, BaseLoader]:
    """Return a template loader for each game by slug, for names such as `mia/board.html.jinja`."""
    return {slug: FileSystemLoader(templates_of(slug)) for slug in GAMES}


def capitalized(text: str) -> str:
    """Capitalize the rest of a sentence that is shown without the name at its beginning."""
    return text[:1].upper() + text[1:]


def digest(text: str) -> str:
    """Return the start of a text's SHA-256, which pages show in place of unmoderated text."""
    return sha256(text.encode()).hexdigest()[:DIGITS_SHOWN]


def unbroken(text: str) -> Markup:
    """Return HTML that does not break dice such as "6-5" at their hyphen."""
    if "-" not in text:
        return escape(text)
    return Markup(HYPHENED.sub(r'<b class="unbroken">\g<0></b>', str(escape(text))))


@lru_cache(maxsize=2000)
def url(name: str, *args: str | int) -> str:
    """Return the path of a page."""
    return reverse(name, args=args)


@cache
def game_template(game: str, name: str, language: str | None = None) -> Template:
    """Return the game's template with this name, or else the generic one."""
    names = [f"{game}/{name}.html.jinja", f"generic/{name}.html.jinja"]
    return environment(language).select_template(names)


@cache
def fields_shown(game: str, name: str) -> frozenset[str] | None:
    """Return the names of the view's fields that the game's own templates use.

    Changes of other fields need no rendering. Return None, which means all fields, if the region
    has the generic template.
    """
    if not has_own_look(game, name):
        return None
    sources = templates_of(game).glob("*.jinja")
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    return frozenset(re.findall(r"\bview\.(?:get\(.)?(\w+)", text))


@lru_cache(maxsize=2000)
def who(
    picture: str, name: str, sheet: int | None, size: int = 24, label: Markup | None = None
) -> Markup:
    """Return a face and a name as HTML. Where space is limited, `label` is shown instead of the
    name.
    """
    module: Any = environment().get_template("generic/who.html.jinja").module
    drawn: Markup = module.who(picture, name, sheet, size, label)
    return drawn


@cache
def has_own_look(game: str, name: str) -> bool:
    """Whether a game has its own template for this region."""
    return (templates_of(game) / f"{name}.html.jinja").is_file()


def render(table: Table, region: Region, language: str) -> str:
    """Return a region as HTML, which is cached in the region.

    `language` must be the active language.
    """
    if language not in region.drawn:
        template = game_template(table.game.slug, region.template, language)
        # Faster than `Template.render`, which looks up globals in a chain of mappings.
        variables = template.environment.globals | given(table, region, language)
        context = template.new_context(variables, shared=True)
        region.drawn[language] = "".join(template.root_render_func(context))
        # Macros of the template refer to the context. The cycle would keep the whole table in
        # memory until the next garbage collection.
        context.vars.clear()
    return region.drawn[language]


def given(table: Table, region: Region, language: str) -> dict[str, Any]:
    """Return the variables of a region's template."""
    return {
        "id": region.id,
        "items": [Markup(render(table, item, language)) for item in region.items],
        "pieces": {
            name: Markup(render(table, one, language)) for name, one in region.pieces.items()
        },
        "game": table.game.slug,
        "options": table.match.options if table.match else None,
        "fitted": partial(fitted, table),
        "term": lambda word: term(table.words, word, language),
        "face": partial(face_at, table),
        **region.part,
    }
