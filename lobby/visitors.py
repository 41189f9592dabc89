"""Users of lobby pages: find the user of a request, or turn an anonymous visitor into a guest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest

from accounts import address_locks, limits
from accounts.faces import chosen
from accounts.guests import make_guest
from accounts.limits import Asker
from accounts.models import User
from accounts.names import BadName
from accounts.people import user_of
from games.models import Member, Room
from games.rooms.finding import member_in, rooms_of
from games.rooms.members import Rejected

BACKEND = "django.contrib.auth.backends.ModelBackend"


def member_of(request: HttpRequest, room: Room) -> Member | None:
    """Return this user's membership in a room, or None if there is none."""
    user = user_of(request)
    return member_in(room.pk, user.pk) if user else None


def rooms_of_request(request: HttpRequest) -> dict[int, str]:
    """Return the codes of the open rooms this user is in, by room id.

    The result is cached in the request.
    """
    found: dict[int, str] | None = getattr(request, "_rooms", None)
    if found is None:
        user = user_of(request)
        found = rooms_of(user.pk) if user else {}
        request._rooms = found  # type: ignore[attr-defined]
    return found


def language_of(request: HttpRequest) -> str:
    """Return the language of the request."""
    return getattr(request, "LANGUAGE_CODE", "en")


def posted(request: HttpRequest) -> dict[str, Any]:
    """Return the fields of a form. Repeated fields become lists."""
    return {name: v[0] if len(v) == 1 else v for name, v in request.POST.lists()}


@contextmanager
def user_or_new_guest(request: HttpRequest, name: str) -> Iterator[User]:
    """Yield the user of a request. An anonymous visitor becomes a guest if the block succeeds.

    Raise Rejected if the name belongs to somebody else.
    """
    if user := user_of(request):
        yield user
        return
    address = limits.asker(request).address
    limits.take("guests", Asker(address=address))
    address_locks.check(address)
    try:
        guest = make_guest(name, chosen(request.POST.get("face")))
    except BadName as bad:
        raise Rejected(bad.code, **bad.facts) from None
    try:
        yield guest
    except BaseException as error:
        if getattr(error, "code", "") == "busy":  # the command may still be committed
            login(request, guest, backend=BACKEND)
        else:
            guest.delete()
        raise
    address_locks.note(guest.pk, address)
    login(request, guest, backend=BACKEND)
