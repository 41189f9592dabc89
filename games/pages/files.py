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


PARTS = {
    "style": "style.css",
    "moments": "moments.css",
    "screen": "screen.css",
    "script": "script.js",
    "screen_script": "screen.js",
}
"""A game's own style sheets and scripts: of its tables, of moments, and of big screens."""


@cache
def parts_of(slug: str) -> dict[str, str]:
    """Return the URLs of a game's own style sheets and scripts by their key in `PARTS`."""
    paths = {part: f"games/{slug}/{name}" for part, name in PARTS.items()}
    return {part: static(path) for part, path in paths.items() if finders.find(path)}


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


def own(name: str, slug: str) -> str:
    """Return the path of a game's own file, or of the default file if it has none."""
    path = f"games/{slug}/{name}"
    return path if finders.find(path) else f"games/{ANY}/{name}"


def templates_of(slug: str) -> Path:
    """Return the folder of a game's templates. The folder may not exist."""
    found: Path = settings.BASE_DIR / "games" / slug / "web" / "templates"
    return found
