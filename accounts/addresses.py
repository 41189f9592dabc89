"""Network addresses of clients. They are used for limits only and never stored."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest

LOCAL = tuple(
    map(
        ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "100.64.0.0/10",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
"""Private networks, and the address ranges that carriers and VPNs share among many users."""


HALF = len("2001:0db8:0000:0000")
"""Characters of an expanded IPv6 address that identify its network, a /64."""


def of_request(request: HttpRequest) -> str | None:
    """Return the network address of a request, or None if many users may share it."""
    return _address(request.headers.get("X-Forwarded-For", ""), request.META.get("REMOTE_ADDR"))


def of_scope(scope: Mapping[str, Any]) -> str | None:
    """Return the network address of a socket, or None if many users may share it."""
    given = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    client = scope.get("client")
    return _address(b",".join(given).decode("latin-1"), client[0] if client else None)


def _address(forwarded: str, peer: str | None) -> str | None:
    """Return the address seen by the outermost trusted proxy. Without a proxy, return the peer's
    address.

    A peer on this machine counts as a proxy. If HTTPS is on but no proxy is configured, any peer
    does. All clients of a proxy share its address, so it is not counted.
    """
    proxies = settings.TRUSTED_PROXIES
    named = [part.strip() for part in forwarded.split(",") if part.strip()]
    if proxies:
        return network(named[-proxies]) if len(named) >= proxies else None
    if settings.HTTPS or peer is None:
        return None
    return network(peer)


def is_local(counted: str) -> bool:
    """Whether an address, in the form returned by `network`, belongs to a local network."""
    address = ip_address(f"{counted}::" if ":" in counted else counted)
    return any(address in local for local in LOCAL)


def network(written: str) -> str | None:
    """Return the part of an address that limits count: for IPv6, the /64 network of a household.

    Return None for this machine itself, and for text that is not an address.
    """
    try:
        address = ip_address(written.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return None if address.is_loopback else address.exploded[:HALF]
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)
