"""Known browsers: guessing passwords elsewhere cannot lock out a browser that has logged in before.

A signed cookie holds a random key and the accounts that have logged in. The server stores nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

COOKIE = "device"
MOST_ACCOUNTS = 5
_SALT = "parlour.device"
_A_YEAR = 60 * 60 * 24 * 365


@dataclass(frozen=True)
class Device:
    """A browser and the accounts that have logged in with it, most recent first."""

    key: str
    accounts: tuple[int, ...]


def device_of(request: HttpRequest) -> Device | None:
    """Return the browser of the request, or None if nobody has logged in with it."""
    try:
        held: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_A_YEAR)
    except signing.BadSignature:
        return None
    return Device(held["key"], tuple(held["accounts"]))


def remember(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """Record in a cookie that this account has logged in with this browser."""
    known = device_of(request) or Device(secrets.token_hex(8), ())
    others = [pk for pk in known.accounts if pk != user_id]
    held = {"key": known.key, "accounts": [user_id, *others][:MOST_ACCOUNTS]}
    response.set_cookie(
        COOKIE,
        signing.dumps(held, salt=_SALT),
        max_age=_A_YEAR,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
