"""The ladder of programs: their ratings and latest matches, and the tables being played now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.models import User
from games.contract.game import AnyGame
from games.history import leaderboard
from games.history.leaderboard import Shown
from games.models import Member, Player, ProgramVersion
from games.registry import GAMES
from games.rooms.ladder import running
from lobby.league import A_MINUTE

MOST_TABLES = 20
"""Maximum tables on the page."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A version on the ladder. `latest` is its last finished match in this game."""

    place: int
    version: ProgramVersion
    rating: Shown
    latest: int | None

    @property
    def user(self) -> User:
        """The account of the version."""
        user: User = self.version.user
        return user

    @property
    def owner(self) -> User:
        """The author of the program."""
        owner: User = self.version.program.owner
        return owner


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
        "lines": _lines(game),
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
            "versions": [_line_data(line) for line in _lines(game)],
            "tables": [
                {"room": table.code, "players": list(table.players)} for table in _tables(game)
            ],
        }
    )


def _game(slug: str) -> AnyGame:
    if slug not in GAMES or not settings.LADDER:
        raise Http404
    return GAMES[slug]


def _lines(game: AnyGame) -> Sequence[Line]:
    found = leaderboard.ladder(game)
    played = Player.objects.filter(
        user=OuterRef("pk"), no__gt=0, match__game=game.slug, match__room__ladder=True
    )
    newest = Subquery(played.order_by("-no").values("match")[:1])
    users = User.objects.filter(pk__in=[line.version.user_id for line in found])
    latest = dict(users.values_list("pk", newest))
    return [
        Line(line.place, line.version, line.rating, latest.get(line.version.user_id))
        for line in found
    ]


def _tables(game: AnyGame) -> Sequence[Table]:
    rooms = list(running(game.slug).values_list("pk", "code")[:MOST_TABLES])
    seated = Member.objects.filter(
        room__in=[pk for pk, _code in rooms], left_at=None, spectator=False
    )
    names = defaultdict(list)
    for room_id, name in seated.order_by("joined_at", "pk").values_list("room", "name"):
        names[room_id].append(name)
    return [Table(code, names[pk]) for pk, code in rooms]


def _line_data(line: Line) -> Json:
    return {
        "place": line.place,
        "user": line.user.username,
        "program": line.version.program.name,
        "version": line.version.number,
        "label": line.version.label,
        "state": line.version.state,
        "author": line.owner.username,
        "rating": line.rating.value,
        "deviation": line.rating.deviation,
        "matches": line.rating.matches,
        "new": line.rating.is_new,
        "latest": line.latest,
    }
