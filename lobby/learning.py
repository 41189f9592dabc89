"""Offer a lesson once to new visitors."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.people import user_of
from accounts.themes import A_YEAR
from games.contract.game import AnyGame
from games.engine.lessons import lesson_of
from games.registry import GAMES

BEEN_HERE = "been-here"
"""Cookie of browsers that have been offered a lesson."""


def offer(request: HttpRequest, slug: str) -> AnyGame | None:
    """Return the game to teach a first-time visitor, or None for everybody else."""
    game = GAMES.get(slug)
    if game is None or lesson_of(game) is None or user_of(request) or BEEN_HERE in request.COOKIES:
        return None
    return game


def note_offer(response: HttpResponse) -> None:
    """Set the cookie, so that the lesson is not offered again."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(BEEN_HERE, "1", A_YEAR, secure=secure, httponly=True, samesite="Lax")
