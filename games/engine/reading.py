"""Database reads from an event loop, which run in a pool of threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run the function in a thread and return its result. Lost database connections are replaced.

    The function runs in a copy of the context. Otherwise a socket would keep everything that Django
    stores in the context (about forty entries) for as long as it is open (docs/decisions/0137).
    """

    def run() -> R:
        close_old_connections()
        return function(*args, **kwargs)

    reading = sync_to_async(
        run, thread_sensitive=False, executor=_threads(), context=copy_context()
    )
    return await reading()


@cache
def _threads() -> ThreadPoolExecutor | None:
    """Return the threads for reads, or None to use those of the event loop.

    Each thread keeps a connection, so PostgreSQL needs a limit.
    """
    if settings.READ_THREADS is None:
        return None
    return ThreadPoolExecutor(settings.READ_THREADS, thread_name_prefix="read")
