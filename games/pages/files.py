"""Paths of a game's templates and static files. Missing files have defaults."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from games.registry import GAMES

ANY = "any"
"""Folder of the default files."""


@cache
def poster_of(slug: str) -> str:
    """Return the URL of a game's poster."""
    return static(own("poster.svg", slug))


def look_of(slug: str) -> str:
    """Return the URL of a game's style sheet, or "" if it has none."""
    return _own_style(slug, "style")


def moments_of(slug: str) -> str:
    """Return the URL of the style sheet for a game's moments, or "" if it has none."""
    return _own_style(slug, "moments")


@cache
def colours() -> str:
    """Return a style sheet with the colours of all games, as classes `game-<slug>`."""
    rules = []
    for game in GAMES.values():
        properties = " ".join(f"--{name}: {value};" for name, value in game.web.colours.items())
        rules.append(f"  .game-{game.slug} {{ {properties} }}\n")
    return f"@layer base {{\n{''.join(rules)}}}\n"


@cache
def colours_version() -> str:
    """Return a hash of the colours, so that browsers can cache them for good."""
    return sha256(colours().encode()).hexdigest()[:12]


@cache
def _own_style(slug: str, name: str) -> str:
    path = f"games/{slug}/{name}.css"
    return static(path) if finders.find(path) else ""


def own(name: str, slug: str) -> str:
    """Return the path of a game's own file, or of the default file if it has none."""
    path = f"games/{slug}/{name}"
    return path if finders.find(path) else f"games/{ANY}/{name}"


def templates_of(slug: str) -> Path:
    """Return the folder of a game's templates. The folder may not exist."""
    found: Path = settings.BASE_DIR / "games" / slug / "web" / "templates"
    return found
