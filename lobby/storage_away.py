"""Return status 503 at once while the database cannot be read, instead of an error after a long
wait.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext

from accounts.themes import browser_theme
from games.contract.core import Refused
from games.engine.reachable import reading
from games.tables.sentences import refusal

RETRY_AFTER = 5
"""Seconds after which a browser or proxy may try again."""


class StorageAway:
    """Middleware that returns status 503 without querying a database that has just failed.

    It must run before the middleware that reads sessions. Faults in that middleware reach
    `unavailable` through the site's handler for status 500.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not reading.can_read():
            return unavailable(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return status 503 if a view failed because of the database, or because the writer was
        busy.
        """
        if isinstance(error, Refused) and error.code == "busy":
            return _in_a_moment(request, refusal(error))
        return unavailable(request) if reading.failed(error) else None


def unavailable(request: HttpRequest) -> HttpResponse:
    """Render a page that says that the database cannot be reached."""
    said = gettext(
        "We cannot reach our database right now. Nothing was changed, and nothing is lost."
    )
    return _in_a_moment(request, said)


def busy(request: HttpRequest) -> HttpResponse:
    """Render a page that says that the server is overloaded."""
    said = gettext("The server is overloaded right now. Nothing was changed, and nothing is lost.")
    return _in_a_moment(request, said)


def _in_a_moment(request: HttpRequest, said: str) -> HttpResponse:
    """Render a page that needs no database. After a GET, the page reloads itself."""
    context = {
        "heading": gettext("Back in a moment"),
        "text": said,
        "site_name": settings.SITE_NAME,
        "theme": browser_theme(request),
        "again_in": RETRY_AFTER if request.method == "GET" else None,
    }
    answer = HttpResponse(render_to_string("unavailable.html", context), status=503)
    answer["Retry-After"] = str(RETRY_AFTER)
    answer["Cache-Control"] = "no-store"
    return answer
