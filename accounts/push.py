"""Where browsers of somebody are told that it is their turn, also while no page of ours is open.

A browser gives an address at its maker's push service (RFC 8030) and keys by which only it can
read what is sent there (RFC 8291); sending is `games.runtime.turn_calls`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from accounts.models import PushSubscription, User
from accounts.people import for_somebody, somebody

MOST = 10
"""So many browsers of one person; the oldest makes room for a new one."""
LONGEST = 1000
POINT, SECRET = 65, 16
"""Bytes of a public key on P-256, uncompressed, and of the secret it comes with."""


class Keys(msgspec.Struct):
    """As `PushSubscription.toJSON()` of browsers has them: base64url without padding."""

    p256dh: str
    auth: str


class Asked(msgspec.Struct):
    """What a browser sends of its subscription; more is passed over."""

    endpoint: str
    keys: Keys


class Ended(msgspec.Struct):
    """The address at which a browser wants to hear no more."""

    endpoint: str


class Unusable(Exception):
    """Nothing may be sent there, or nobody could read it."""


@for_somebody
@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Keep a browser's subscription. 204; 404 where this server sends none, 422 for a bad one."""
    if not settings.PUSH_PUBLIC_KEY:
        return HttpResponse(status=404)
    try:
        _keep(somebody(request), msgspec.json.decode(request.body, type=Asked))
    except (msgspec.MsgspecError, UnicodeDecodeError, Unusable):
        return HttpResponse(status=422)
    return HttpResponse(status=204)


@for_somebody
@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Forget a browser of one's own. 204, also where it was not known; 422 for what is no JSON."""
    try:
        ended = msgspec.json.decode(request.body, type=Ended)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return HttpResponse(status=422)
    mine = PushSubscription.objects.filter(user=somebody(request))
    mine.filter(digest=digest_of(ended.endpoint)).delete()
    return HttpResponse(status=204)


def _keep(user: User, asked: Asked) -> None:
    """The browser is this person's from now on, whoever used it before. Raise Unusable."""
    check(asked)
    PushSubscription.objects.update_or_create(
        digest=digest_of(asked.endpoint),
        defaults={
            "user": user,
            "endpoint": asked.endpoint,
            "p256dh": asked.keys.p256dh,
            "auth": asked.keys.auth,
        },
    )
    older = PushSubscription.objects.filter(user=user).order_by("-pk").values_list("pk")[MOST:]
    PushSubscription.objects.filter(pk__in=[pk for (pk,) in older]).delete()


def check(asked: Asked) -> None:
    """Raise Unusable unless it leads to a push service of a browser, with keys of the right size.

    The server itself calls this address: it must lead nowhere else.
    """
    parts = urlsplit(asked.endpoint)
    host = parts.hostname or ""
    known = any(host == name or host.endswith(f".{name}") for name in settings.PUSH_HOSTS)
    plain = parts.scheme == "https" and parts.netloc == host and known
    if not plain or len(asked.endpoint) > LONGEST:
        raise Unusable
    if (len(_bytes(asked.keys.p256dh)), len(_bytes(asked.keys.auth))) != (POINT, SECRET):
        raise Unusable


def _bytes(written: str) -> bytes:
    try:
        return base64.b64decode(written + "=" * (-len(written) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Unusable from None


def digest_of(endpoint: str) -> str:
    """What an address is found by."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
