"""Leaderboards of rated players, as pages and for programs."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.models import User
from games.contract.game import AnyGame
from games.history.leaderboard import ACTIVE_FOR, board, least, rating_in
from games.registry import GAMES

A_MINUTE = 60


@login_not_required
@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the first game."""
    return redirect("league", slug=next(iter(GAMES)))


@login_not_required
@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the leaderboard of a game, and where the user stands."""
    game = _game(slug)
    lines = board(game)
    user = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    is_on_board = user is not None and any(line.user.pk == user.pk for line in lines)
    context = {
        "game": game,
        "games": list(GAMES.values()),
        "lines": lines,
        "own": None if user is None or is_on_board else rating_in(game, user),
        "least": least(game),
        "days": ACTIVE_FOR.days,
    }
    return render(request, "lobby/league.html", context)


@login_not_required
@require_safe
@cache_control(max_age=A_MINUTE, public=True)
def league_file(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the leaderboard of a game as JSON."""
    game = _game(slug)
    players = [
        {
            "place": line.place,
            "user": line.user.username,
            "name": str(line.user),
            "rating": line.rating.value,
            "deviation": line.rating.deviation,
            "matches": line.rating.matches,
        }
        for line in board(game)
    ]
    return JsonResponse({"game": game.slug, "players": players})


def _game(slug: str) -> AnyGame:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]
