"""Limits of login attempts (`settings.LOGIN_LIMITS`).

Attempts are counted per address, per name and address, and per name across all addresses. A browser
in which the account has logged in before counts as a separate address and is left out of the third
limit, so guesses elsewhere cannot lock the owner out.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from accounts import limits
from accounts.devices import device_of
from accounts.forms import LONGEST_FIELD
from accounts.models import User, account_of

Credentials = dict[str, Any]


def take(request: HttpRequest, address: str, credentials: Credentials) -> list[str]:
    """Count an attempt before the password is checked. Raise TooOften if a limit is reached.

    Return the places taken, for `give_back` after a success.
    """
    name, device = _name(credentials), known_device(request, credentials)
    keys = {"address": address, "name": _here(name, device or address)}
    if device is None:
        keys["name_anywhere"] = name
    taken = []
    for kind, key in keys.items():
        place = limits.take_place(_key(kind, key), *settings.LOGIN_LIMITS[kind])
        if place is None:
            raise limits.TooOften
        taken.append(place)
    return taken


def give_back(places: list[str]) -> None:
    """Undo the count of an attempt that succeeded or was not checked."""
    cache.delete_many(places)


def forgive(request: HttpRequest, user: User, address: str) -> None:
    """Reset the count of a user's login attempts from this address and browser after a password
    reset.
    """
    emails = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    most, _seconds = settings.LOGIN_LIMITS["name"]
    for name in (user.username.casefold(), *map(str.lower, emails)):
        for source in filter(None, (known_device(request, {"username": name}), address)):
            give_back(limits.places(_key("name", _here(name, source)), most))


def known_device(request: HttpRequest, credentials: Credentials) -> str | None:
    """Return the limit key of this browser if an account with this name has logged in with it, else
    None.
    """
    device = device_of(request)
    if device is None:
        return None
    name = str(credentials.get("email") or credentials.get("username") or "")
    if len(name) > LONGEST_FIELD:
        return None
    people = filter_users_by_email(name) if "@" in name else [account_of(name)]
    known = any(user is not None and user.pk in device.accounts for user in people)
    return f"device-{device.key}" if known else None


def _name(credentials: Credentials) -> str:
    """Return the key under which login attempts for an account are counted.

    It is the same for all spellings of a name.
    """
    if email := credentials.get("email"):
        return str(email).lower()
    name = str(credentials.get("username") or "")[:LONGEST_FIELD]
    user = account_of(name)
    return name.casefold() if user is None else user.username.casefold()


def _here(name: str, source: str) -> str:
    return f"{name}:{source}"


def _key(kind: str, key: str) -> str:
    return f"login:{kind}:{limits.hidden(key)}"
