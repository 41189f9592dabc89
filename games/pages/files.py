"""The templates and static files of a game: its own, where it has them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

ANY = "any"
"""The name of the pictures for what has none of its own."""


@cache
def poster_of(slug: str) -> str:
    """The address of a game's poster."""
    return static(own("poster.svg", slug))


def look_of(slug: str) -> str:
    """The address of a game's style sheet; "" where it has none."""
    return _own_style(slug, "style")


def moments_of(slug: str) -> str:
    """The address of the style sheet for a game's moments; "" where it has none."""
    return _own_style(slug, "moments")


@cache
def _own_style(slug: str, name: str) -> str:
    path = f"games/{slug}/{name}.css"
    return static(path) if finders.find(path) else ""


def own(name: str, slug: str) -> str:
    """The path of this file of a game, or of the file for any game."""
    path = f"games/{slug}/{name}"
    return path if finders.find(path) else f"games/{ANY}/{name}"


def templates_of(slug: str) -> Path:
    """The folder with the templates of a game. It may be missing."""
    found: Path = settings.BASE_DIR / "games" / slug / "web" / "templates"
    return found
