"""Database reads from an event loop, which run in a pool of threads."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
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

    return await sync_to_async(run, thread_sensitive=False, context=copy_context())()
