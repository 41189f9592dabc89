"""A lesson is offered once to those who are new."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.themes import A_YEAR
from games.contract.game import AnyGame
from games.engine.lessons import lesson_of
from games.registry import GAMES
from lobby.visitors import user_of

BEEN_HERE = "been-here"
"""The cookie of a browser that has been offered a lesson."""


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
