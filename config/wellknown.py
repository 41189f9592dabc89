"""/robots.txt and /.well-known/security.txt, made from the settings."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

EXPIRES = timedelta(days=30)
"""Validity of a copy of security.txt. Each response contains a new one."""
PRIVATE = ("/t/", "/account/", "/admin/", "/decks/", "/matches/", "/people/", "/tables/", "/you/")
"""Paths that are closed to search engines even if the site is open to them."""


@login_not_required
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt."""
    closed = PRIVATE if settings.ROBOTS == "allow" else ("/",)
    return _text(["User-agent: *", *(f"Disallow: {path}" for path in closed)])


@login_not_required
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116) with the contacts for vulnerabilities, or a 404 if there are
    none.
    """
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + EXPIRES).strftime("%Y-%m-%dT%H:%M:%SZ")
    return _text(
        [
            *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
            f"Expires: {expires}",
            f"Preferred-Languages: {settings.LANGUAGE_CODE}",
            f"Canonical: {settings.PUBLIC_URL}/.well-known/security.txt",
        ]
    )


def _text(lines: list[str]) -> HttpResponse:
    answer = HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
    answer["Cache-Control"] = "public, max-age=3600"
    return answer
