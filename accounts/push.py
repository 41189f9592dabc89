"""Push subscriptions, which notify users in their browsers that it is their turn, even if no page
is open.

A browser sends an address at its vendor's push service (RFC 8030), and keys with which only this
browser can read the messages (RFC 8291). `games.runtime.turn_calls` sends the messages.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.views.decorators.http import require_POST

from accounts.models import PushSubscription, User
from accounts.people import for_somebody, somebody

MOST = 10
"""Maximum browsers per user. A new one replaces the oldest."""
LONGEST = 1000
SECRET = 16
"""Bytes of the secret that is sent with a public key."""
ADDRESS = re.compile(r"https://([a-z0-9.-]+)/[!-\[\]-~]*", re.ASCII)
"""URLs that all parsers read the same way. For some parsers, a backslash ends the host."""
NOT_READABLE = (
    msgspec.MsgspecError,
    UnicodeDecodeError,
    RecursionError,
    RawPostDataException,  # raised for forms: Django has already read the body
)


class Keys(msgspec.Struct):
    """Keys in the format of the browser's `PushSubscription.toJSON()`: base64url without
    padding.
    """

    p256dh: str
    auth: str


class Asked(msgspec.Struct):
    """The subscription sent by a browser. Other fields are ignored."""

    endpoint: str
    keys: Keys


class Ended(msgspec.Struct):
    """A request to end the subscription with this endpoint."""

    endpoint: str


class Unusable(Exception):
    """The address is not allowed, or the keys cannot be used."""


@for_somebody
@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Store a browser's subscription.

    Return status 204 on success, 404 if push is off, or 422 if the subscription is invalid.
    """
    if not settings.PUSH_PUBLIC_KEY:
        return HttpResponse(status=404)
    try:
        asked = msgspec.json.decode(request.body, type=Asked)
        _keep(somebody(request), request.session.session_key or "", asked)
    except (*NOT_READABLE, Unusable):
        return HttpResponse(status=422)
    return HttpResponse(status=204)


@for_somebody
@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Delete a subscription of the user.

    Return status 204, even if the subscription is unknown, or 422 if the body is not valid JSON.
    """
    try:
        ended = msgspec.json.decode(request.body, type=Ended)
    except NOT_READABLE:
        return HttpResponse(status=422)
    mine = PushSubscription.objects.filter(user=somebody(request))
    mine.filter(digest=digest_of(ended.endpoint)).delete()
    return HttpResponse(status=204)


def _keep(user: User, session: str, asked: Asked) -> None:
    """Assign the browser's subscription to this user, even if it was another user's.

    Raise Unusable if the address or the keys are not allowed. The keys prove that it is the same
    browser. The address alone would not, because it may have leaked.
    """
    check(asked)
    digest, keys = digest_of(asked.endpoint), msgspec.structs.asdict(asked.keys)
    known = PushSubscription.objects.filter(digest=digest).first()
    if known and known.user_id != user.pk and (known.p256dh, known.auth) != (*keys.values(),):
        raise Unusable
    fresh = {"user": user, "session": session, "endpoint": asked.endpoint, **keys}
    PushSubscription.objects.update_or_create(digest=digest, defaults=fresh)
    older = PushSubscription.objects.filter(user=user).order_by("-pk").values_list("pk")[MOST:]
    PushSubscription.objects.filter(pk__in=[pk for (pk,) in older]).delete()


def forget_browser(session_key: str | None) -> None:
    """Delete the subscriptions of a session that has ended."""
    if session_key:
        PushSubscription.objects.filter(session=session_key).delete()


def check(asked: Asked) -> None:
    """Raise Unusable unless the address is at a known push service and the keys can be used.

    The server sends requests to this address, so it must not point anywhere else.
    """
    found = ADDRESS.fullmatch(asked.endpoint)
    host = found[1] if found else ""
    if not any(host == name or host.endswith(f".{name}") for name in settings.PUSH_HOSTS):
        raise Unusable
    if len(asked.endpoint) > LONGEST or len(_bytes(asked.keys.auth)) != SECRET:
        raise Unusable
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(asked.keys.p256dh))
    except ValueError:
        raise Unusable from None


def _bytes(written: str) -> bytes:
    try:
        return base64.b64decode(written + "=" * (-len(written) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Unusable from None


def digest_of(endpoint: str) -> str:
    """Return the lookup key of an endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
