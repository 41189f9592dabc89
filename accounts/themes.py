"""Daylight or evening: chosen in the header of any page, by anybody."""

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
    """What this person has chosen, else what this browser has; "" for the system's."""
    user = getattr(request, "user", None)  # a request may be refused before anybody is looked up
    kept = user.theme if isinstance(user, User) else ""
    return kept if kept in User.Theme.values and kept else browser_theme(request)


def browser_theme(request: HttpRequest) -> str:
    """Return the theme this browser keeps, whoever uses it; "" for the system's."""
    kept = request.COOKIES.get(COOKIE, "")
    return kept if kept in User.Theme.values else ""


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme, with the person and with the browser, and go back to the page it was
    chosen on. What is no theme is taken for the system's."""
    chosen = request.POST.get("theme", "")
    theme = chosen if chosen in User.Theme.values else ""
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    response = redirect(chosen_on(request))
    keep_theme(response, theme)
    return response


def chosen_on(request: HttpRequest) -> str:
    """The page of ours on which something was chosen, as its form names it."""
    back = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(back, {request.get_host()})
    return back if ours and back.startswith("/") else "/"


def keep_theme(response: HttpResponse, theme: str) -> None:
    """Let this browser show the theme, also where nobody is logged in."""
    if not theme:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, theme, A_YEAR, secure=secure, httponly=True, samesite="Lax")
