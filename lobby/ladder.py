"""The ladder of programs: their ratings and latest matches, and the tables being played now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract.game import AnyGame
from games.history import leaderboard
from games.history.leaderboard import LadderLine
from games.models import Member
from games.registry import GAMES
from games.rooms.ladder import running
from lobby.league import A_MINUTE

MOST_TABLES = 20
"""Maximum tables on the page."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A table at which programs play now."""

    code: str
    players: Sequence[str]


@login_not_required
@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Redirect to the ladder of the first game."""
    return redirect("ladder", slug=_game(next(iter(GAMES))).slug)


@login_not_required
@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ladder of a game."""
    game = _game(slug)
    context = {
        "game": game,
        "games": list(GAMES.values()),
        "lines": leaderboard.ladder(game),
        "tables": _tables(game),
        "least": leaderboard.least(game),
    }
    return render(request, "lobby/ladder.html", context)


@login_not_required
@require_safe
@cache_control(max_age=A_MINUTE, public=True)
def ladder_file(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the ladder of a game as JSON."""
    game = _game(slug)
    return JsonResponse(
        {
            "game": game.slug,
            "versions": [_line_data(line) for line in leaderboard.ladder(game)],
            "tables": [
                {"room": table.code, "players": list(table.players)} for table in _tables(game)
            ],
        }
    )


def _game(slug: str) -> AnyGame:
    if slug not in GAMES or not settings.LADDER:
        raise Http404
    return GAMES[slug]


def _tables(game: AnyGame) -> Sequence[Table]:
    rooms = list(running(game.slug).values_list("pk", "code")[:MOST_TABLES])
    seated = Member.objects.filter(
        room__in=[pk for pk, _code in rooms], left_at=None, spectator=False
    )
    names = defaultdict(list)
    for room_id, name in seated.order_by("joined_at", "pk").values_list("room", "name"):
        names[room_id].append(name)
    return [Table(code, names[pk]) for pk, code in rooms]


def _line_data(line: LadderLine) -> Json:
    return {
        "place": line.place,
        "user": line.user.username,
        "program": line.program,
        "version": line.version,
        "label": line.label,
        "state": line.state,
        "author": line.owner.username,
        "rating": line.rating.value,
        "deviation": line.rating.deviation,
        "matches": line.rating.matches,
        "new": line.rating.is_new,
        "latest": line.latest,
    }
