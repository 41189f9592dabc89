"""Refuse request bodies that are too large, before Django stores any of them.

Django writes a body to a temporary file before it looks at the request. A proxy limits the size of
bodies (docs/operate.md), but `make run` and `make lan` are used without one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from lobby.errors import too_large

MOST_BYTES = 3 * 1024 * 1024
"""Maximum bytes of a request body.

The largest legitimate body is a deck (`games.cards.decks.decoding`).
"""
MARK = "parlour.too_large"
"""Key in the scope that marks a refused request for the middleware."""
ABOUT_BODIES = (b"content-length", b"content-type", b"transfer-encoding")

App = Callable[[Any, Any, Any], Awaitable[None]]


class BodyLimit:
    """ASGI middleware that limits the bytes that arrive, whatever length the client declares.

    A refused request is passed on with an empty body, so that Django renders an error page. The
    server discards the rest of the body, and the client can read the response.
    """

    def __init__(self, inner: App) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if _declared_length(scope["headers"]) > MOST_BYTES:
            await self._refuse(scope, receive, send)
            return
        came = 0

        async def counted() -> Any:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            # Django drops the partial body and sends no response after a disconnect.
            return message if came <= MOST_BYTES else {"type": "http.disconnect"}

        await self._inner(scope, counted, send)
        if came > MOST_BYTES:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Any, receive: Any, send: Any) -> None:
        headers = [pair for pair in scope["headers"] if pair[0].lower() not in ABOUT_BODIES]
        first = [{"type": "http.request", "body": b"", "more_body": False}]

        async def without_body() -> Any:
            if first:
                return first.pop()
            return await asyncio.get_running_loop().create_future()  # Django cancels it at the end

        await self._inner({**scope, "headers": headers, MARK: True}, without_body, send)


class TooLarge:
    """Django middleware that sends status 413 for requests that `BodyLimit` has refused."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if getattr(request, "scope", {}).get(MARK):
            return too_large(request, MOST_BYTES)
        return self.get_response(request)


def _declared_length(headers: Any) -> int:
    declared = next((value for name, value in headers if name.lower() == b"content-length"), b"")
    return int(declared) if declared.isdigit() else 0
