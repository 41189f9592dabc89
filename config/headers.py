"""Headers of every answer: what a page of ours may load, reach and be used for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.constants import NONE, SELF
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
"""The Content Security Policy: everything is a file of ours, nothing stands in the page itself."""

PARTS = ("text/css", "text/javascript", "font/", "image/")
"""What pages are made of, a few dozen files each: nothing in them loads or opens anything."""
NOTHING = "default-src 'none'"

UNUSED = ("camera", "geolocation", "microphone", "payment", "usb", "midi", "display-capture")
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Headers:
    """Adds what Django and django-csp do not know. Stands inside their middleware's reach."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith(PARTS):
            return _part(response)
        response.setdefault("Permissions-Policy", ", ".join(f"{name}=()" for name in UNUSED))
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # Most of it is for one person; whatever is for everybody says so itself.
        response.setdefault("Cache-Control", "private")
        try:
            host = request.get_host()
        except DisallowedHost:
            return response
        # Not every browser counts sockets of the same host as 'self'.
        sockets = {"connect-src": [f"ws://{host}", f"wss://{host}"]}
        setattr(response, "_csp_update", sockets)  # noqa: B010  (what django-csp reads)
        if not (request.is_secure() or host.rpartition(":")[0] in LOCAL or host in LOCAL):
            # Browsers ignore it on plain http, and complain about it on every page.
            del response["Cross-Origin-Opener-Policy"]
        return response


def _part(response: HttpResponseBase) -> HttpResponseBase:
    """A file is sent with few words: they would be as long as most of what we draw."""
    response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.setdefault("Cache-Control", "private")
    response.setdefault("Content-Security-Policy", NOTHING)
    del response["Cross-Origin-Opener-Policy"]
    return response
