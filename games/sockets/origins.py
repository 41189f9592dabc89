"""Origin check: only pages of this site may open sockets that are authorized by a cookie.

Browsers send cookies with the WebSocket handshake of any page, and all ports of a host share
cookies. So the whole origin is compared, as in Django's CSRF check: scheme, host and port must be
those of the request, or be listed in `CSRF_TRUSTED_ORIGINS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.http import is_same_domain

DEFAULT_PORTS = {"http": 80, "https": 443}

Address = tuple[str, str, int]
"""Scheme, host and port."""


def is_our_origin(scope: Mapping[str, Any]) -> bool:
    """Return whether a page of this site, or of a trusted site, opened the socket of `scope`."""
    given = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
    origin = _address(given)
    if origin is None:
        return False
    return origin == _asked_for(scope) or any(
        _is_covered(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
    )


def _address(written: str) -> Address | None:
    """Parse an origin into scheme, host and port.

    Return None if it is not valid, such as the `null` of sandboxed pages and files.
    """
    try:
        parts = urlsplit(written)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (KeyError, ValueError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def _asked_for(scope: Mapping[str, Any]) -> Address | None:
    """Return the address to which the request was sent, or None if Django rejects that host."""
    request = HttpRequest()
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper().replace("-", "_")
        request.META[f"HTTP_{key}"] = value.decode("latin-1")
    try:
        host = request.get_host()
    except DisallowedHost:
        return None
    is_secure = scope.get("scheme") == "wss" or request.is_secure()
    return _address(f"{'https' if is_secure else 'http'}://{host}")


def _is_covered(origin: Address, trusted: str) -> bool:
    """Whether a setting trusts this origin. `https://*.example.com` covers all subdomains."""
    covers = _address(trusted)
    if covers is None or (origin[0], origin[2]) != (covers[0], covers[2]):
        return False
    return is_same_domain(origin[1], covers[1].removeprefix("*"))
