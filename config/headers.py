"""Security headers of all responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp_update
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase

POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
"""Content Security Policy: everything is loaded from this site, and nothing is inline."""

PARTS = ("text/css", "text/javascript", "font/", "image/")
"""Content types of the static parts of a page.

Such files do not load or open anything themselves.
"""
NOTHING = "default-src 'none'"

UNUSED = ("camera", "geolocation", "microphone", "payment", "usb", "midi", "display-capture")
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Headers:
    """Middleware that adds headers missing in Django and django-csp.

    It must run inside their middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith(PARTS):
            return _part(response)
        response.setdefault("Permissions-Policy", ", ".join(f"{name}=()" for name in UNUSED))
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # Most responses are for one user. Public ones set this header themselves.
        response.setdefault("Cache-Control", "private")
        try:
            host = request.get_host()
        except DisallowedHost:
            return response
        # In some browsers 'self' does not include sockets of the same host.
        sockets = {"connect-src": [f"ws://{host}", f"wss://{host}"]}
        response = csp_update(sockets)(lambda _: response)(request)
        if not (request.is_secure() or host.rpartition(":")[0] in LOCAL or host in LOCAL):
            # On plain HTTP, browsers ignore this header and log a warning for every page.
            del response["Cross-Origin-Opener-Policy"]
        return response


def _part(response: HttpResponseBase) -> HttpResponseBase:
    """Set the few headers that a picture needs. The full set would be as long as most pictures."""
    response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.setdefault("Cache-Control", "private")
    response.setdefault("Content-Security-Policy", NOTHING)
    del response["Cross-Origin-Opener-Policy"]
    return response
