"""Posters of games for the front page and for shared links: picture, tagline and duration."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.templatetags.static import static

from games.contract.game import AnyGame
from games.engine.lessons import lesson_of
from games.pages.files import ANY, own, poster_of
from games.registry import GAMES
from games.tables.sentences import say


@dataclass(frozen=True)
class Poster:
    """A game as presented to visitors."""

    slug: str
    name: str
    tagline: str
    least: int
    most: int
    minutes: int
    picture: str
    lesson: bool
    """Whether the game has a lesson."""


def posters() -> list[Poster]:
    """Return all games in display order."""
    return [poster(game) for game in GAMES.values()]


def poster(game: AnyGame) -> Poster:
    """Return the poster of a game in the active language."""
    tagline = say(game.telling.words(game.rules.options()).tagline)
    picture = poster_of(game.slug)
    lesson = lesson_of(game) is not None
    return Poster(game.slug, game.name, tagline, *game.seats, game.minutes, picture, lesson)


def card(slug: str = ANY) -> str:
    """Return the absolute URL of the picture that previews of shared links show for this game."""
    return settings.PUBLIC_URL + static(own("og.png", slug))
