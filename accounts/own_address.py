"""Addresses at which others reach this machine, for links and QR codes."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

LOCALHOST = "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether a host name or address only works on this machine itself."""
    name = host.strip("[]").lower().rstrip(".")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def lan_address() -> str:
    """Return the address at which other machines on the network reach this one.

    Return LOCALHOST if there is no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only picks a network interface
        except OSError:
            return LOCALHOST
        return str(probe.getsockname()[0])


def usual_url(listens_at: str, port: int) -> str:
    """Return the default `PUBLIC_URL` of a server that listens at this address."""
    if not is_loopback(listens_at):
        host = lan_address() if listens_at in ("", "0.0.0.0", "::") else listens_at
    else:
        host = LOCALHOST
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def site(request: HttpRequest) -> str:
    """Return the scheme and host at which others reach this site.

    They are taken from the request, or from `PUBLIC_URL` if the request used `localhost`.
    """
    came_by = f"{request.scheme}://{request.get_host()}"
    if _is_local(came_by) and not _is_local(settings.PUBLIC_URL):
        return str(settings.PUBLIC_URL)
    return came_by


def _is_local(url: str) -> bool:
    return is_loopback(urlsplit(url).hostname or "")


def link(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a page, for sharing it with others."""
    return site(request) + path
