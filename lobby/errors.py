"""Pages for what cannot be shown: a sentence, and ways on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext


def _page(request: HttpRequest, status: int, heading: str, text: str) -> HttpResponse:
    return render(request, "error.html", {"heading": heading, "text": text}, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something went wrong on our side."""
    text = gettext("Something went wrong on our side. We have made a note of it. Please try again.")
    return _page(request, 500, gettext("Sorry"), text)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that cannot be read: too large, or not meant for this site."""
    text = gettext("That was too large, or could not be read. Nothing was changed.")
    return _page(request, 400, gettext("Sorry"), text)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such page."""
    text = gettext("There is no page at this address.")
    return _page(request, 404, gettext("Nothing here"), text)


def not_yours(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Somebody is logged in, but not as somebody who may do this."""
    text = gettext("Only other people may see this page. Are you logged in under the right name?")
    return _page(request, 403, gettext("Not for you"), text)


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form of a page from before its person logged in or out."""
    text = gettext("This page was out of date. Nothing was changed. Reload it and try again.")
    return _page(request, 403, gettext("Sorry"), text)


def too_often(request: HttpRequest) -> HttpResponse:
    """Somebody tries passwords, or taps twice."""
    text = gettext("Too many tries. Wait a few minutes, then try again.")
    return _page(request, 429, gettext("Slow down"), text)
