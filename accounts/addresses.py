"""Where somebody comes from, as far as that can be told: for limits only, stored nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def of_request(request: HttpRequest) -> str | None:
    """The network address behind a request; None where it would be that of many people."""
    return _address(request.headers.get("X-Forwarded-For", ""), request.META.get("REMOTE_ADDR"))


def of_scope(scope: Mapping[str, Any]) -> str | None:
    """The network address behind a socket; None where it would be that of many people."""
    given = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    client = scope.get("client")
    return _address(b",".join(given).decode("latin-1"), client[0] if client else None)


def _address(forwarded: str, peer: str | None) -> str | None:
    """What the outermost proxy we trust has seen; without one, who is connected to us.

    Somebody on this very machine is a proxy, and so is anyone who brings https though we know of
    none: everybody comes by that address.
    """
    proxies = settings.TRUSTED_PROXIES
    named = [part.strip() for part in forwarded.split(",") if part.strip()]
    if proxies:
        return _network(named[-proxies]) if len(named) >= proxies else None
    if settings.HTTPS or peer is None:
        return None
    return _network(peer)


def _network(written: str) -> str | None:
    """An address as it is counted: of IPv6 the network a household is given."""
    try:
        address = ip_address(written.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return None if address.is_loopback else address.exploded[:19]
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)
