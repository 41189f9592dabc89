"""The passwords of rooms. They are slow to check on purpose, so whoever guesses must not slow us.

One thread of its own does them one after the other: each takes a core and 100 MB while it lasts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from django.contrib.auth.hashers import check_password, make_password

from games.rules.core import Refused

T = TypeVar("T")

MOST_WAITING = 20
"""So many may wait for theirs to be looked at; a second or two at the most."""

_places = threading.BoundedSemaphore(MOST_WAITING)
_worker = ThreadPoolExecutor(1, thread_name_prefix="passwords")


def hashed(password: str) -> Future[str]:
    """A room's password as it is stored. Raises Refused("busy")."""
    return _in_turn(lambda: make_password(password))


def checked(password: str, stored: str) -> Future[bool]:
    """Whether this is the password that is stored so. Raises Refused("busy")."""
    return _in_turn(lambda: check_password(password, stored))


def _in_turn(work: Callable[[], T]) -> Future[T]:
    if not _places.acquire(blocking=False):
        raise Refused("busy")
    future = _worker.submit(work)
    future.add_done_callback(lambda _: _places.release())
    return future
