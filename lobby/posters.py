"""What the front page and shared links show of a game: a picture, a sentence, how long it takes."""

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
    """A game as it is shown to those who may want to play it."""

    slug: str
    name: str
    tagline: str
    least: int
    most: int
    minutes: int
    picture: str
    lesson: bool
    """Whether it can be learned by playing."""


def posters() -> list[Poster]:
    """All games, in the order in which they are shown."""
    return [poster(game) for game in GAMES.values()]


def poster(game: AnyGame) -> Poster:
    """The poster of a game, in the active language."""
    tagline = say(game.telling.words(game.rules.options()).tagline)
    picture = poster_of(game.slug)
    lesson = lesson_of(game) is not None
    return Poster(game.slug, game.name, tagline, *game.seats, game.minutes, picture, lesson)


def card(slug: str = ANY) -> str:
    """The address of the picture that a shared link of this game shows, with host."""
    return settings.PUBLIC_URL + static(own("og.png", slug))
