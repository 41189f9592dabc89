"""What every page knows of the tables of the person who looks at it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.models.rooms import read_code
from lobby import posters
from lobby.history import past
from lobby.listing import mine
from lobby.progress import merging_into


def tables(request: HttpRequest) -> dict[str, Any]:
    """`mine`, `merging` and `past`: read from the database only by templates that show it."""
    match = request.resolver_match
    at = read_code(match.kwargs["code"]) if match and match.url_name == "table" else ""
    return {
        "card": SimpleLazyObject(posters.card),
        "shared_url": settings.PUBLIC_URL + request.path,
        "mine": SimpleLazyObject(lambda: mine(request.user, at)),
        "merging": SimpleLazyObject(lambda: merging_into(request.user)),
        "past": SimpleLazyObject(lambda: past(request.user, request.GET.get("page", "1"))),
    }
