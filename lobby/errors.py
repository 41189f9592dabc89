"""Error pages: an explanation and links to continue."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import is_valid_path
from django.utils.translation import gettext

from accounts import sent_forms
from games.engine.reachable import reading
from games.models.rooms import is_code, read_code
from lobby.storage_away import unavailable

LONGEST_ORIGIN = 100


def _page(request: HttpRequest, status: int, heading: str, text: str) -> HttpResponse:
    return render(request, "error.html", {"heading": heading, "text": text}, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render a server error, with status 503 if the database failed."""
    error = sys.exception()
    if error is not None and reading.failed(error):
        return unavailable(request)
    text = gettext("Something went wrong on our side. We have made a note of it. Please try again.")
    return _page(request, 500, gettext("Sorry"), text)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Explain that the request cannot be read, because it is too large or was sent to another host
    name.
    """
    text = gettext("That was too large, or could not be read. Nothing was changed.")
    return _page(request, 400, gettext("Sorry"), text)


def too_large(request: HttpRequest, most_bytes: int) -> HttpResponse:
    """Explain that the request body is larger than `most_bytes`."""
    text = gettext(
        "That was too large. At most %(most)s MB can be sent at once. Nothing was changed."
    )
    most = most_bytes // (1024 * 1024)
    return _page(request, 413, gettext("Too large"), text % {"most": most})


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Explain that there is no such page.

    A path that is only a table's code redirects to that table.
    """
    typed = request.path.strip("/")
    if "/" not in typed and is_code(typed) and not is_valid_path(f"/{typed}/"):
        return redirect("table", read_code(typed))
    text = gettext("There is no page at this address.")
    return _page(request, 404, gettext("Nothing here"), text)


def not_yours(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Explain that the user is logged in but not allowed to do this."""
    text = gettext("Only other people may see this page. Are you logged in under the right name?")
    return _page(request, 403, gettext("Not for you"), text)


def not_trusted(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain why a form is not trusted and what to do (Django's `CSRF_FAILURE_VIEW`)."""
    if (again := sent_forms.answer_again(request)) is not None:
        return again
    return _page(request, 403, gettext("Sorry"), _why_not_trusted(request))


def _why_not_trusted(request: HttpRequest) -> str:
    origin = request.headers.get("Origin", "")
    hides_referer = request.is_secure() and not request.headers.get("Referer")
    if origin == "null" or (not origin and hides_referer):
        return gettext(
            "Your browser did not say which page this form is on, so nothing was changed. The"
            " cause is often a privacy extension, or another site that embeds this one. Open "
            "this site in its own tab, allow it in the extension, and try again."
        )
    if origin and _host_of(origin) != request.get_host():
        text = gettext(
            "Your browser says that this form is on %(origin)s, but this site is %(host)s. Nothing "
            "was changed. Open %(host)s and try again. If that fails too, tell the people who run "
            "this server."
        )
        return text % {"origin": origin[:LONGEST_ORIGIN], "host": request.get_host()}
    if settings.CSRF_COOKIE_NAME not in request.COOKIES:
        return gettext(
            "Your browser did not send the cookie of this site, so nothing was changed. Allow "
            "cookies for this site, load the page again and try again."
        )
    return gettext("This page was out of date. Nothing was changed. Reload it and try again.")


def _host_of(origin: str) -> str:
    """Return the host and port of an `Origin` header, or "" if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def too_often(request: HttpRequest) -> HttpResponse:
    """Explain that a rate limit is reached."""
    text = gettext("Too many tries. Wait a few minutes, then try again.")
    return _page(request, 429, gettext("Slow down"), text)
