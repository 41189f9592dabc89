"""The passwords of rooms. They are slow to check on purpose, so whoever guesses must not slow us.

One thread of its own does them one after the other: each takes a core and 100 MB while it lasts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.hashers import check_password, make_password
from django.db import close_old_connections

from games.models import Room
from games.rules.core import Refused
from games.writer import Pending

MOST_WAITING = 20
"""So many may wait for theirs to be looked at; a second or two at the most."""

_places = threading.BoundedSemaphore(MOST_WAITING)
_worker = ThreadPoolExecutor(1, thread_name_prefix="passwords")


def hashed(password: str) -> Pending[str]:
    """A room's password as it is stored ("" for none). Comes to Refused("busy") under a rush."""
    return _in_turn(lambda: make_password(password)) if password else _known("")


def proof(code: str, password: str) -> Pending[str]:
    """What shows a door that the room's password is known, "" where it is not.

    Comes to Refused("busy") under a rush.
    """
    return _in_turn(lambda: _proof(code, password)) if password else _known("")


def _proof(code: str, password: str) -> str:
    stored = Room.objects.filter(code=code.upper()).values_list("password", flat=True).first()
    return stored if stored and check_password(password, stored) else ""


def _known(answer: str) -> Pending[str]:
    pending = Pending[str]()
    pending.set_result(answer)
    return pending


def _in_turn(work: Callable[[], str]) -> Pending[str]:
    pending = Pending[str]()
    if not _places.acquire(blocking=False):
        pending.set_exception(Refused("busy"))
        return pending

    def run() -> None:
        try:
            close_old_connections()
            pending.set_result(work())
        except Exception as error:
            pending.set_exception(error)
        finally:
            _places.release()

    _worker.submit(run)
    return pending
