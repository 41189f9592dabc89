"""Moderators' decisions about users: which are in force, and how they are worded.

A ban survives "forget me" in the same browser, because mutes and bans leave a signed cookie there.
Users who clear the browser's data or use another browser are new guests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.isolation import isolated
from accounts.likeness import keys, keys_of
from accounts.models import AddressLock, Sanction, User, account_of

Kind = Sanction.Kind
HOLDING = (Kind.MUTE, Kind.LOCK)
TRAIL = "trail"
_SALT = "parlour.trail"
_A_YEAR = 60 * 60 * 24 * 365

_TOLD: Mapping[str, Any] = {
    Kind.WARNING: _("A moderator warned you: %(reason)s"),
    Kind.MUTE: _("A moderator muted you %(until)s. You can't chat or change your name: %(reason)s"),
    Kind.LOCK: _("You are banned from this site %(until)s: %(reason)s"),
    Kind.MESSAGE: _("A moderator removed your message “%(about)s”: %(reason)s"),
    Kind.MESSAGES: _("A moderator removed all your messages: %(reason)s"),
    Kind.NAME: _("A moderator removed your name “%(about)s”: %(reason)s"),
    Kind.DECK: _("A moderator removed your deck “%(about)s”: %(reason)s"),
}


def decide(
    user_id: int, kind: str, reason: str, until: datetime | None = None, about: str = ""
) -> Sanction:
    """Store a moderator's decision, which takes effect at once.

    Call it inside a command. `games.engine.notifications.notify_everybody` announces it.
    """
    return Sanction.objects.create(
        user_id=user_id, kind=kind, reason=reason, until=until, about=about[:500]
    )


def lock_of(user_id: int | None) -> Sanction | None:
    """Return the ban that ends last for this user, or None."""
    return _holding_longest(user_id, Kind.LOCK)


def account_in_good_standing(user_name: str) -> User | None:
    """Return the registered user with this name. Return None if they are banned or inactive."""
    banned = holding().filter(user=OuterRef("pk"), kind=Kind.LOCK)
    found = account_of(user_name, User.objects.annotate(is_banned=Exists(banned)))
    if found is None or not found.is_active or found.is_banned:  # type: ignore[attr-defined]
        return None
    return found


def mute_of(user_id: int | None) -> Sanction | None:
    """Return the mute that ends last for this user, or None."""
    return _holding_longest(user_id, Kind.MUTE)


def muted(people: Iterable[int | None]) -> set[int]:
    """Return which of these users are muted now."""
    asked = [user_id for user_id in people if user_id is not None]
    if not asked:
        return set()
    held = holding().filter(user_id__in=asked, kind=Kind.MUTE)
    return set(held.values_list("user_id", flat=True))


def in_force(user_id: int | None, *kinds: str) -> QuerySet[Sanction]:
    """Return the current decisions of these kinds about this user."""
    return holding().filter(user_id=user_id or 0, kind__in=kinds)


def holding() -> QuerySet[Sanction]:
    """Return all decisions that are in force now."""
    not_over = Q(until=None) | Q(until__gt=timezone.now())
    return Sanction.objects.filter(not_over, lifted_at=None)


def of_request(request: HttpRequest) -> list[Sanction]:
    """Return the decisions about the user of a request that are in force or unread.

    For anonymous visitors these are the bans of the user named in the cookie. The result is
    cached in the request.
    """
    found: list[Sanction] | None = getattr(request, "_sanctions", None)
    if found is None:
        found = list(_concerning(request))
        request._sanctions = found  # type: ignore[attr-defined]
    return found


def lock_on(request: HttpRequest) -> Sanction | None:
    """Return the ban that ends last for the user of this request, or None."""
    return _longest(s for s in of_request(request) if s.kind == Kind.LOCK and s.in_force)


def unread(request: HttpRequest) -> list[Sanction]:
    """Return the decisions not yet marked as read, oldest first. Banned users have none."""
    if lock_on(request) is not None:
        return []
    told = [s for s in of_request(request) if s.kind != Kind.LOCK and s.seen_at is None]
    return told[::-1]


def sentence(sanction: Sanction) -> str:
    """Return the sentence shown to the user, in the active language."""
    reason, about = isolated(sanction.reason), isolated(sanction.about)
    facts = {"reason": reason, "about": about, "until": end_of(sanction)}
    return str(_TOLD[sanction.kind]) % facts


def end_of(sanction: Sanction | AddressLock) -> str:
    """Return the end of a decision as text, in the active language."""
    if sanction.until is None:
        return gettext("forever")
    return gettext("until %(end)s") % {"end": f"{sanction.until:%Y-%m-%d %H:%M} UTC"}


def was_taken_away(user_id: int, name: str) -> bool:
    """Whether a moderator has taken this name, or one that looks like it, away from this user."""
    gone = Sanction.objects.filter(user_id=user_id, kind=Kind.NAME, lifted_at=None)
    return not keys(name).isdisjoint(keys_of(gone.values_list("about", flat=True)))


def leave_trail(response: HttpResponseBase, user_id: int) -> None:
    """Set the cookie that identifies the browser of a muted or banned user."""
    response.set_signed_cookie(
        TRAIL,
        str(user_id),
        salt=_SALT,
        max_age=_A_YEAR,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def carry_over(request: HttpRequest, user: User) -> None:
    """Copy current mutes and bans to a new user in the same browser."""
    before = trail_of(request)
    if before is None or before == user.pk:
        return
    for held in in_force(before, *HOLDING):
        held.pk, held.user = None, user
        held.save()


def trail_of(request: HttpRequest) -> int | None:
    """Return the user id in this browser's cookie, or None."""
    number = request.get_signed_cookie(TRAIL, default="", salt=_SALT)
    return int(number) if number and number.isdecimal() else None


def _concerning(request: HttpRequest) -> Iterable[Sanction]:
    user = getattr(request, "user", None)  # None if an error occurred before the session middleware
    if isinstance(user, User):
        return [s for s in _not_lifted(user.pk) if s.seen_at is None or s.kind in HOLDING]
    before = trail_of(request)
    return in_force(before, Kind.LOCK) if before is not None else []


def _not_lifted(user_id: int) -> Iterable[Sanction]:
    found = Sanction.objects.filter(user_id=user_id, lifted_at=None)
    return found if found.exists() else ()  # there are few bans, and the query is cheap


def _holding_longest(user_id: int | None, kind: str) -> Sanction | None:
    if user_id is None:
        return None
    return _longest(s for s in _not_lifted(user_id) if s.kind == kind and s.in_force)


def _longest(found: Iterable[Sanction]) -> Sanction | None:
    return max(found, key=lambda s: (s.until is None, s.until or s.at), default=None)
