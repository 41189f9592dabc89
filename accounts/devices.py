"""Browsers in which somebody has logged in before: strangers who guess cannot lock them out.

A signed cookie has a number of its own and the accounts; nothing is stored here.
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
    """A browser, and the accounts that logged in there, the last one first."""

    key: str
    accounts: tuple[int, ...]


def device_of(request: HttpRequest) -> Device | None:
    """The browser that asks, where anybody has logged in with it."""
    try:
        held: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_A_YEAR)
    except signing.BadSignature:
        return None
    return Device(held["key"], tuple(held["accounts"]))


def remember(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """Let this browser be known as one in which this account has logged in."""
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
