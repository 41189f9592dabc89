"""Where browsers of somebody are told that it is their turn, also while no page of ours is open.

A browser gives an address at its maker's push service (RFC 8030) and keys by which only it can
read what is sent there (RFC 8291); sending is `games.runtime.turn_calls`.
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
"""So many browsers of one person; the oldest makes room for a new one."""
LONGEST = 1000
SECRET = 16
"""Bytes of the secret a public key comes with."""
ADDRESS = re.compile(r"https://([a-z0-9.-]+)/[!-\[\]-~]*", re.ASCII)
"""What all readers of addresses read alike: to some, a backslash ends the name of the host."""
NOT_READABLE = (
    msgspec.MsgspecError,
    UnicodeDecodeError,
    RecursionError,
    RawPostDataException,  # a form: Django has read it already
)


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
        asked = msgspec.json.decode(request.body, type=Asked)
        _keep(somebody(request), request.session.session_key or "", asked)
    except (*NOT_READABLE, Unusable):
        return HttpResponse(status=422)
    return HttpResponse(status=204)


@for_somebody
@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Forget a browser of one's own. 204, also where it was not known; 422 for what is no JSON."""
    try:
        ended = msgspec.json.decode(request.body, type=Ended)
    except NOT_READABLE:
        return HttpResponse(status=422)
    mine = PushSubscription.objects.filter(user=somebody(request))
    mine.filter(digest=digest_of(ended.endpoint)).delete()
    return HttpResponse(status=204)


def _keep(user: User, session: str, asked: Asked) -> None:
    """From now on the browser is this person's, and no longer another's. Raise Unusable.

    It shows that it is that browser by its keys: the address alone may have been read somewhere.
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
    """Nobody is logged in there any more: what turns up there is nobody's turn."""
    if session_key:
        PushSubscription.objects.filter(session=session_key).delete()


def check(asked: Asked) -> None:
    """Raise Unusable unless it leads to a push service of a browser, with keys that can be used.

    The server itself calls this address: it must lead nowhere else.
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
    """What an address is found by."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
