"""Template context of every page."""

import time
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest

from accounts import sanctions
from accounts.themes import theme_of

ENTRANCES = ("/account/", "/forget-me/", "/admin/login/")


def site(request: HttpRequest) -> dict[str, Any]:
    """Return what every page needs to know: the site's name, its legal pages, and who may register.

    `served_at` is the time of the response, in milliseconds since the epoch. `push_key` is the
    public key of push messages, or "" if push is off. `here` is the page to return to after a
    login. This is the current page, unless it is itself a login page.
    """
    there = request.path if request.method != "POST" else "/"
    entrance = request.path.startswith(ENTRANCES)
    return {
        "site_name": settings.SITE_NAME,
        "imprint_url": settings.IMPRINT_URL,
        "privacy_url": settings.PRIVACY_URL,
        "served_at": int(time.time() * 1000),
        "may_register": get_adapter().is_open_for_signup(request),
        "guests": settings.GUESTS,
        "mail": settings.MAIL,
        "registration": settings.REGISTRATION,
        "unread": [(s, sanctions.sentence(s)) for s in sanctions.unread(request)],
        "theme": theme_of(request),
        "push_key": settings.PUSH_PUBLIC_KEY,
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else (),
        "here": request.GET.get("next", "/") if entrance else there,
    }
