"""The static files of a game: its own, where it has them."""

from __future__ import annotations

from functools import cache

from django.contrib.staticfiles import finders
from django.templatetags.static import static

ANY = "any"
"""The name of the pictures for what has none of its own."""


@cache
def poster_of(slug: str) -> str:
    """The address of a game's poster."""
    return static(own("posters/{}.svg", slug))


@cache
def look_of(slug: str) -> str:
    """The address of a game's style sheet; "" where it has none."""
    path = f"games/{slug}.css"
    return static(path) if finders.find(path) else ""


def own(path: str, slug: str) -> str:
    """The file of this game, else the one for any."""
    return path.format(slug if finders.find(path.format(slug)) else ANY)
