"""What is made easier for those who are new: a lesson offered once, hints in the first matches."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.themes import A_YEAR
from games.engine.lessons import lesson_of
from games.models import Player
from games.rules import GAMES
from games.rules.core import AnyGame
from lobby.visitors import user_of

BEEN_HERE = "been-here"
"""The cookie of a browser that has been offered a lesson."""
NEW_FOR = 2
"""So many matches of a game somebody plays with hints, lessons apart."""


def offer(request: HttpRequest, slug: str) -> AnyGame | None:
    """The game to be learned by somebody who has never been here; None to everybody else."""
    game = GAMES.get(slug)
    if game is None or lesson_of(game) is None or user_of(request) or BEEN_HERE in request.COOKIES:
        return None
    return game


def note_offer(response: HttpResponse) -> None:
    """It was offered, and is not offered again."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(BEEN_HERE, "1", A_YEAR, secure=secure, httponly=True, samesite="Lax")


def is_new_to(slug: str, user_id: int) -> bool:
    """Whether this person has played this game to its end less than twice."""
    ended = Player.objects.filter(user_id=user_id, match__game=slug, match__ended_at__isnull=False)
    return ended.filter(match__lesson=False)[:NEW_FOR].count() < NEW_FOR
