"""/healthz and /readyz: answered before Django, whatever host they are asked by.

Alive means that this process answers. Ready means that it can also read and write, and that the
other processes hear of it.
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
"""So many seconds a probe waits for an answer; it asks again soon."""

App = Callable[[Any, Any, Any], Awaitable[None]]


class Probes:
    """The application around Django's."""

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
    """Looks at the database in a thread of its own; who asks meanwhile shares the answer.

    Probes come again and again: where one hangs, the next ones must not hang threads, too.
    """

    def __init__(self) -> None:
        self._running: Future[str] | None = None

    async def fault(self) -> str:
        """What is wrong, without what only the log may tell; "" for nothing."""
        if self._running is None or self._running.done():
            self._running = Future()
            run = partial(_look, self._running)
            threading.Thread(target=run, name="readyz", daemon=True).start()
        kind, _, _ = (await _shared(self._running)).partition(":")
        return kind and f"Nothing can be stored just now ({kind})."


def _shared(answer: Future[str]) -> asyncio.Future[str]:
    """To be awaited by many: who stops waiting does not stop it."""
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
    """Why other processes do not hear of what happens here."""
    if not settings.REDIS_URL:
        return ""
    from redis.asyncio import Redis  # (who needs no Redis need not load its client)
    from redis.exceptions import RedisError

    try:
        async with Redis.from_url(settings.REDIS_URL) as redis:
            await redis.ping()
    except (RedisError, OSError) as error:
        return f"The other processes are not reached ({type(error).__name__})."
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
