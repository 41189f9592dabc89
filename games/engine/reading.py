"""Database reads from an event loop, which run in a pool of threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import OperationalError, close_old_connections

P = ParamSpec("P")
R = TypeVar("R")

LONGEST_WAIT_S = 4.5
"""Maximum seconds to wait for a thread, as for the writer. Then the client is told `busy`."""


class NoThread(OperationalError):
    """Raised if no thread became free in time. It counts as a fault of the storage, because threads
    are only short if it is slow.
    """


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run the function in a thread and return its result. Lost database connections are replaced.

    Raise NoThread, and do not run the function, if no thread becomes free in time.
    """
    return await run_in(_threads(), LONGEST_WAIT_S, function, *args, **kwargs)


async def run_in(
    threads: ThreadPoolExecutor | None,
    longest_wait: float | None,
    function: Callable[P, R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Run the function in one of these threads, or in one of the event loop's if None is given.

    Raise NoThread if none becomes free within `longest_wait` seconds. Once the function has begun,
    its result is always awaited.

    The function runs in a copy of the context. Otherwise a socket would keep everything that Django
    stores in the context (about forty entries) for as long as it is open (docs/decisions/0137).
    """
    taken = threading.Lock()

    def run() -> R:
        if not taken.acquire(blocking=False):
            raise NoThread  # nobody waits for it any more
        close_old_connections()
        return function(*args, **kwargs)

    job = sync_to_async(run, thread_sensitive=False, executor=threads, context=copy_context())
    answer = asyncio.ensure_future(job())
    try:
        done, _ = await asyncio.wait((answer,), timeout=longest_wait)
    except asyncio.CancelledError:
        answer.cancel()
        raise
    if not done and taken.acquire(blocking=False):
        answer.cancel()
        raise NoThread(f"no thread became free within {longest_wait} seconds")
    return await answer


@cache
def _threads() -> ThreadPoolExecutor | None:
    """Return the threads for reads, or None to use those of the event loop.

    Each thread keeps a connection, so PostgreSQL needs a limit.
    """
    if settings.READ_THREADS is None:
        return None
    return ThreadPoolExecutor(settings.READ_THREADS, thread_name_prefix="read")
