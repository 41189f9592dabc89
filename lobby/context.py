"""Template context about the tables of the user, for every page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.models.rooms import read_code
from games.pages.files import colours_version
from lobby import posters
from lobby.history import past
from lobby.listing import mine
from lobby.progress import merging_into
from lobby.visitors import rooms_of_request

SHARED = {"front", "table", "rules", "match", "person", "deck"}
"""Pages that may put their URL in `og:url` because it contains no secret."""


def tables(request: HttpRequest) -> dict[str, Any]:
    """Return template variables. `mine`, `merging` and `past` are queried only if a template uses
    them.
    """
    match = request.resolver_match
    name = match.url_name if match else None
    at = read_code(match.kwargs["code"]) if match and name == "table" else ""
    return {
        "game_colours": reverse("game-colours", args=[colours_version()]),
        "card": SimpleLazyObject(posters.card),
        "shared_url": settings.PUBLIC_URL + (request.path if name in SHARED else "/"),
        "mine": SimpleLazyObject(lambda: mine(request.user, at, rooms_of_request(request))),
        "merging": SimpleLazyObject(lambda: merging_into(request.user)),
        "past": SimpleLazyObject(lambda: past(request.user, request.GET.get("before", ""))),
    }
