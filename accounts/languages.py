"""The language of pages, sockets and emails. It is chosen in the footer or the menu of any page."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.themes import A_YEAR, chosen_on


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Store the language in the account and a cookie, and redirect back to the page.

    Unknown languages change nothing.
    """
    chosen, response = request.POST.get("language", ""), redirect(chosen_on(request))
    if chosen not in dict(settings.LANGUAGES):
        messages.error(request, gettext("This site doesn't speak that language."))
        return response
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(language=chosen)
    keep_language(response, chosen)
    return response


def keep_language(response: HttpResponse, language: str) -> None:
    """Set the language cookie of this browser. "" deletes it, and Accept-Language then decides."""
    name, path = settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_PATH
    if not language:
        response.delete_cookie(name, path=path, samesite="Lax")
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(
        name, language, A_YEAR, path=path, secure=secure, httponly=True, samesite="Lax"
    )
