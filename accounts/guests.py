"""Guests: users with only a display name. Registering turns the same row into an account."""

import secrets
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts import reserved_names
from accounts.models import User
from accounts.names import clean_name


def make_guest(name: str, face: str = "") -> User:
    """Create a guest.

    Raise BadName if the name is not allowed, or belongs to an account or staff.
    """
    name = clean_name(name)
    reserved_names.check(name)
    guest = User(username=f"guest-{secrets.token_hex(8)}", name=name, face=face, is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def passing_name() -> str:
    """Return a generated name for a visitor who watches or takes a lesson without entering one."""
    return gettext("Guest %(number)s") % {"number": 1000 + secrets.randbelow(9000)}


def is_registered(user: Any) -> bool:
    """Whether this user has an account. False for guests and anonymous visitors."""
    return bool(user.is_authenticated) and not user.is_guest


def may_come_in(user: Any) -> bool:
    """Whether this user may use the site. If GUESTS=off, only registered users may."""
    return settings.GUESTS or is_registered(user)


def guest_of(request: HttpRequest) -> User | None:
    """Load and return the guest who sent the request, or None if the user is not a guest."""
    guests = User.objects.filter(is_guest=True, is_active=True)
    return guests.filter(pk=request.user.pk).first() if request.user.is_authenticated else None
