"""What the front page and shared links show of a game: a picture, a sentence, how long it takes."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from games.language.sentences import say
from games.rules import GAMES
from games.rules.core import AnyGame

ANY = "any"
"""The name of the pictures for what has none of its own."""


@dataclass(frozen=True)
class Poster:
    """A game as it is shown to those who may want to play it."""

    slug: str
    name: str
    tagline: str
    least: int
    most: int
    minutes: int
    picture: str


def posters() -> list[Poster]:
    """All games, in the order in which they are shown."""
    return [poster(game) for game in GAMES.values()]


def poster(game: AnyGame) -> Poster:
    """The poster of a game, in the active language."""
    tagline = say(game.words(game.options()).tagline)
    picture = static(_own("posters/{}.svg", game.slug))
    return Poster(game.slug, game.name, tagline, *game.seats, game.minutes, picture)


def card(slug: str = ANY) -> str:
    """The address of the picture that a shared link of this game shows, with host."""
    return settings.PUBLIC_URL + static(_own("og/{}.png", slug))


def _own(path: str, slug: str) -> str:
    """The file of this game, else the one for any."""
    return path.format(slug if finders.find(path.format(slug)) else ANY)
