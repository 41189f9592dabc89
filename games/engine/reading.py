"""Reading the database from an event loop, in a thread of those kept for it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What the function returns; a connection that was lost meanwhile is made anew.

    What it sets in its context (Django keeps some forty things there) stays with it: a socket would
    carry it along to its end (docs/decisions/0137).
    """

    def run() -> R:
        close_old_connections()
        return function(*args, **kwargs)

    return await sync_to_async(run, thread_sensitive=False, context=copy_context())()
