"""Checks of the public address: reachability, certificate, proxy headers and WebSockets."""

from __future__ import annotations

import json
import socket
import ssl
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from operations.deployment.answers import is_private
from operations.doctor import echo
from operations.doctor.findings import Finding, error, ok, warning
from operations.doctor.machine import files_finding, skew_finding

PATIENCE = 10.0
FORGED = "203.0.113.99"
"""Documentation address (RFC 5737), sent as a forged header."""
SOON = 14
LARGEST_DECK = 2 * 1024 * 1024
"""Bytes of the largest file that people upload (`games.cards.decks.decoding`)."""


def reached() -> Iterator[Finding]:
    """Check that the server answers at its address, with a certificate that browsers trust."""
    do = "Is the proxy running? Does DNS point to this machine? Is the port open in the firewall?"
    try:
        answer = _ask("/readyz")
    except ssl.SSLError as failed:
        yield error("address", f"The certificate is not valid: {failed.reason}.", do)
        return
    except OSError as failed:
        reason = getattr(failed, "reason", failed)
        yield error("address", f"{settings.PUBLIC_URL} cannot be reached: {reason}.", do)
        return
    if answer.status in (502, 504):
        do = "systemctl status 'parlour@*'; does it listen on the port that the proxy uses?"
        yield error("address", f"The proxy answers ({answer.status}), the server does not.", do)
        return
    if answer.status != 200:
        said = answer.text.strip().splitlines()[:1] or [str(answer.status)]
        yield error("address", f"The server says it is not ready: {said[0]}", "See the log.")
        return
    yield ok("address", f"{settings.PUBLIC_URL} answers.")
    yield from _certificate()


def _certificate() -> Iterator[Finding]:
    if not settings.HTTPS:
        return
    where = urlsplit(settings.PUBLIC_URL)
    host, port = where.hostname or "", where.port or 443
    if _trust().verify_mode == ssl.CERT_NONE:
        do = "Fine in a private network. Warn people, or import it in their browsers."
        yield warning("certificate", "It is self-signed: browsers warn about it.", do)
        return
    line = socket.create_connection((host, port), PATIENCE)
    with line, _trust().wrap_socket(line, server_hostname=host) as tls:
        ends = str((tls.getpeercert() or {}).get("notAfter", ""))
    left = (datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) - datetime.now(UTC)).days
    if left < SOON:
        do = "systemctl status certbot.timer; certbot renew --dry-run shows why."
        yield warning("certificate", f"It expires in {left} days, and was not renewed.", do)
    else:
        yield ok("certificate", f"Valid for another {left} days.")


def proxies() -> Iterator[Finding]:
    """Check that the server sees addresses and https correctly behind proxies."""
    asked = timezone.now()
    answer = _ask("/doctor/", _signed() | {"X-Forwarded-For": FORGED})
    answered = timezone.now()
    if answer.status != 200:
        do = "Use one parlour.env for all processes, and point PUBLIC_URL to them."
        said = "PUBLIC_URL leads to another server, or to one with another SECRET_KEY."
        yield error("proxy", said, do)
        return
    seen = json.loads(answer.text)
    if seen["database"] != echo.of_database():
        do = "Run this command with the server's settings (PARLOUR_ENV) and account."
        yield error("server", "The server and this command use different databases.", do)
    yield from judge(seen)
    theirs = datetime.fromtimestamp(seen["now"], UTC)
    yield skew_finding(theirs, asked + (answered - asked) / 2, "the clock of the server")
    yield files_finding(seen["files"], seen["open"])


def judge(seen: dict[str, Any]) -> Iterator[Finding]:
    """Judge how the server saw a request with a forged address."""
    through = [part.strip() for part in seen["forwarded"].split(",") if part.strip()]
    added = [part for part in through if part != FORGED]
    trusted, wrong = settings.TRUSTED_PROXIES, False
    if seen["counted"] == FORGED:
        wrong = True
        do = "Let the proxy overwrite X-Forwarded-For; set TRUSTED_PROXIES to their number."
        yield error("proxy", "Visitors can choose the address that limits apply to.", do)
    elif added and not trusted:
        wrong = True
        do = "Set TRUSTED_PROXIES=1 if one proxy sets X-Forwarded-For and -Proto."
        yield error("proxy", "Requests come through a proxy, but TRUSTED_PROXIES is 0.", do)
    elif trusted and len(through) < trusted:
        wrong = True
        do = "Let every proxy set X-Forwarded-For, or lower TRUSTED_PROXIES."
        yield error("proxy", "Visitors have no address: limits per address have no effect.", do)
    if seen["https"] != settings.HTTPS:
        wrong = True
        do = "Let the proxy set X-Forwarded-Proto, and set TRUSTED_PROXIES."
        yield error("proxy", "The server does not know that requests use https.", do)
    if not wrong:
        counted = seen["counted"] or "none, as this request came from this machine"
        yield ok("proxy", f"https and addresses are correct (address of this request: {counted}).")


def web_socket() -> Iterator[Finding]:
    """Check that a program can open a WebSocket through all proxies."""
    url = settings.PUBLIC_URL.replace("http", "ws", 1) + "/api/ws/"
    context = _trust() if settings.HTTPS else None
    options: dict[str, Any] = {"ssl": context, "proxy": None, "open_timeout": PATIENCE}
    try:
        with connect(url, close_timeout=2, **options) as line:
            line.send(json.dumps({"type": "GameDataRequest", "id": 1}))
            line.recv(timeout=PATIENCE)
            silent_for = _until_closed(line)
    except (WebSocketException, OSError, EOFError) as failed:
        do = "Let the proxy forward Upgrade and Connection; see deploy/nginx.conf."
        yield error("websocket", f"{url}: {type(failed).__name__}: {failed}".strip(": "), do)
        return
    if silent_for is not None:
        do = "Set proxy_read_timeout and proxy_send_timeout to 75s; see deploy/nginx.conf."
        said = f"An idle WebSocket was closed after {silent_for:.0f} s."
        said += f" The server sends a heartbeat only every {settings.HEARTBEAT_SECONDS:g} s."
        yield error("websocket", said, do)
        return
    yield ok("websocket", f"{url} answers, and stays open while idle.")


def _until_closed(line: ClientConnection) -> float | None:
    """Send nothing between two heartbeats. Return the seconds until the socket was closed, or None
    if it stays open.
    """
    began = time.monotonic()
    try:
        while (left := settings.HEARTBEAT_SECONDS - (time.monotonic() - began)) > 0:
            line.recv(timeout=left)
    except TimeoutError:
        return None
    except ConnectionClosed:
        return time.monotonic() - began
    return None


def large_body() -> Iterator[Finding]:
    """Check that the proxy passes on a body as large as the largest deck."""
    answer = _ask("/doctor/", _signed(), bytes(LARGEST_DECK))
    if answer.status == 413:
        do = "Set client_max_body_size to 3m; see deploy/nginx.conf."
        yield error("body limit", "The proxy refuses decks of 2 MiB.", do)
    else:
        yield ok("body limit", "The proxy accepts the largest decks.")


class _Answer:
    def __init__(self, response: Any) -> None:
        self.status = int(response.status)
        self.text = response.read(65536).decode("utf-8", "replace")


def _ask(path: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> _Answer:
    """Get a page from the public address, or post a body. Return the response, whatever its
    status.
    """
    url = settings.PUBLIC_URL + path
    request = urllib.request.Request(url, data=body, headers=headers or {})
    handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=_trust())]
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=PATIENCE) as response:
            return _Answer(response)
    except HTTPError as refused:
        return _Answer(refused)
    except URLError as failed:
        if isinstance(failed.reason, ssl.SSLError):
            raise failed.reason from None
        raise


def _signed() -> dict[str, str]:
    return {echo.HEADER: echo.sign()}


@cache
def _trust() -> ssl.SSLContext:
    """Return an SSL context like a browser's. In a private network it accepts any certificate."""
    context = ssl.create_default_context()
    if is_private(urlsplit(settings.PUBLIC_URL).hostname or ""):
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
