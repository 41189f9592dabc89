"""Responses to /healthz and /readyz, sent before Django for any host name.

Healthy means that this process responds. Ready means that it can also read and write the database,
and reach the other processes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection

from games.runtime.health import storage_fault

PATIENCE = 4.0
"""Maximum seconds a probe waits for its check."""

App = Callable[[Any, Any, Any], Awaitable[None]]


class Probes:
    """ASGI middleware that responds to probes."""

    def __init__(self, inner: App) -> None:
        self._inner = inner
        self._checks = {"/healthz": _alive, "/readyz": self._ready}
        self._storage = _Look()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        check = self._checks.get(scope["path"].rstrip("/"))
        if check is None:
            await self._inner(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405, "Only GET.")
        else:
            fault = await check()
            await _answer(send, 503 if fault else 200, fault or "ok")

    async def _ready(self) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._storage.fault() or await _layer_fault()
        except TimeoutError:
            return f"No answer within {PATIENCE:g} s."


class _Look:
    """Check of the database in a separate thread. Concurrent probes share the result.

    Probes are sent regularly. If a check hangs, later probes must not block more threads.
    """

    def __init__(self) -> None:
        self._running: Future[str] | None = None

    async def fault(self) -> str:
        """Return the kind of fault, or "" if there is none. Details are only logged."""
        if self._running is None or self._running.done():
            self._running = Future()
            run = partial(_look, self._running)
            threading.Thread(target=run, name="readyz", daemon=True).start()
        kind, _, _ = (await _shared(self._running)).partition(":")
        return kind and f"The database cannot be written ({kind})."


def _shared(answer: Future[str]) -> asyncio.Future[str]:
    """Return a future that several callers can await. Cancelling it does not cancel the check."""
    return asyncio.shield(asyncio.wrap_future(answer))


def _look(answer: Future[str]) -> None:
    try:
        found = storage_fault()
    except Exception as error:
        found = type(error).__name__
    finally:
        connection.close()
    answer.set_result(found)


async def _alive() -> str:
    return ""


async def _layer_fault() -> str:
    """Return why Redis cannot be reached, or "" if it can be reached or is not used."""
    if not settings.REDIS_URL:
        return ""
    from redis.asyncio import Redis  # imported only if Redis is in use
    from redis.exceptions import RedisError

    try:
        async with Redis.from_url(settings.REDIS_URL) as redis:
            await redis.ping()
    except (RedisError, OSError) as error:
        return f"Redis cannot be reached ({type(error).__name__})."
    return ""


async def _answer(send: Any, status: int, text: str) -> None:
    body = f"{text}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if status == 503:
        headers.append((b"retry-after", b"5"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
