"""Template context about the tables of the user, for every page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.people import user_of
from games.engine.rated import OFF
from games.models.rooms import read_code
from games.pages.files import colours_version
from lobby import posters
from lobby.friends import friends_here, friends_of
from lobby.history import past
from lobby.listing import mine
from lobby.progress import merging_into
from lobby.statistics import statistics
from lobby.visitors import rooms_of_request

SHARED = {"front", "table", "rules", "match", "person", "deck"}
"""Pages that may put their URL in `og:url` because it contains no secret."""


def tables(request: HttpRequest) -> dict[str, Any]:
    """Return template variables. Those about people and tables are queried only if a template uses
    them.
    """
    match = request.resolver_match
    name = match.url_name if match else None
    at = read_code(match.kwargs["code"]) if match and name == "table" else ""
    own: Any = SimpleLazyObject(lambda: mine(request.user, at, rooms_of_request(request)))
    return {
        "has_leaderboards": settings.RATED != OFF,
        "game_colours": reverse("game-colours", args=[colours_version()]),
        "card": SimpleLazyObject(posters.card),
        "has_ladder": settings.LADDER,
        "shared_url": settings.PUBLIC_URL + (request.path if name in SHARED else "/"),
        "mine": own,
        "friends": SimpleLazyObject(lambda: friends_of(request.user, own)),
        "friends_here": SimpleLazyObject(lambda: friends_here(request.user, own)),
        "merging": SimpleLazyObject(lambda: merging_into(request.user)),
        "past": SimpleLazyObject(lambda: past(request.user, request.GET.get("before", ""))),
        "statistics": SimpleLazyObject(lambda: statistics(request.user, user_of(request))),
    }
