"""What every page knows."""

import time
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest

ENTRANCES = ("/account/", "/forget-me/", "/admin/login/")


def site(request: HttpRequest) -> dict[str, Any]:
    """The name of this site, when this page was served (milliseconds since the epoch), ways in.

    `here` is where logging in leads back to: this page, unless it is one of the ways in.
    """
    there = request.path if request.method == "GET" else "/"
    entrance = request.path.startswith(ENTRANCES)
    return {
        "site_name": settings.SITE_NAME,
        "served_at": int(time.time() * 1000),
        "may_register": get_adapter().is_open_for_signup(request),
        "here": request.GET.get("next", "/") if entrance else there,
    }
