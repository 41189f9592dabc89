"""Theme: light or dark. Anybody can choose it in the header of any page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.models import User

COOKIE = "theme"
A_YEAR = 60 * 60 * 24 * 365


def theme_of(request: HttpRequest) -> str:
    """Return the user's theme, or else the browser's, or "" for the system's."""
    user = getattr(request, "user", None)  # a request may be refused before its user is known
    kept = user.theme if isinstance(user, User) else ""
    return kept if kept in User.Theme.values and kept else browser_theme(request)


def browser_theme(request: HttpRequest) -> str:
    """Return the theme stored in this browser, or "" for the system's."""
    kept = request.COOKIES.get(COOKIE, "")
    return kept if kept in User.Theme.values else ""


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store the theme in the account and a cookie, and redirect back to the page.

    Unknown values select the system's theme.
    """
    chosen = request.POST.get("theme", "")
    theme = chosen if chosen in User.Theme.values else ""
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    response = redirect(chosen_on(request))
    keep_theme(response, theme)
    return response


def chosen_on(request: HttpRequest) -> str:
    """Return the page that the form was sent from if it is on this site, else "/"."""
    back = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(back, {request.get_host()})
    return back if ours and back.startswith("/") else "/"


def keep_theme(response: HttpResponse, theme: str) -> None:
    """Store the theme in a cookie, so that it also applies after logout."""
    if not theme:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, theme, A_YEAR, secure=secure, httponly=True, samesite="Lax")
