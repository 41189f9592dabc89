"""Single-use registration links, for sites that require an invitation.

A link is the signed number of its row. The row says when it was made and whether it has been used.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import RegistrationLink, User

DAYS = 14
_KEPT = "registration_link"
_signer = Signer(salt="parlour.registration")


def make_link(made_by: User | None = None, note: str = "") -> RegistrationLink:
    """Create a link that lets one person register within 14 days."""
    return RegistrationLink.objects.create(made_by=made_by, note=note)


def address(link: RegistrationLink) -> str:
    """Return the URL to send to the person invited."""
    key = _signer.sign(str(link.pk))
    return f"{settings.PUBLIC_URL}{reverse('account_invited', args=[key])}"


def found(key: str) -> RegistrationLink | None:
    """Return the link for this key, or None if it is forged, used or expired."""
    try:
        number = int(_signer.unsign(key))
    except (BadSignature, ValueError):
        return None
    since = timezone.now() - timedelta(days=DAYS)
    return RegistrationLink.objects.filter(pk=number, used_at=None, made_at__gt=since).first()


def keep(request: HttpRequest, key: str) -> None:
    """Store the key of the opened link in the session."""
    request.session[_KEPT] = key


def may_register(request: HttpRequest) -> bool:
    """Whether the setting REGISTRATION lets this visitor register now."""
    if settings.REGISTRATION == "invite":
        key = getattr(request, "session", {}).get(_KEPT)
        return key is not None and found(key) is not None
    return bool(settings.REGISTRATION == "open")


def use(request: HttpRequest, user: User) -> bool:
    """Redeem the link stored in the session. Return False if it has already been used.

    Call this function inside the transaction that creates the account.
    """
    if settings.REGISTRATION != "invite":
        return True
    link = found(request.session.pop(_KEPT, ""))
    if link is None:
        return False
    unused = RegistrationLink.objects.filter(pk=link.pk, used_at=None)
    return bool(unused.update(used_at=timezone.now(), used_by=user))
