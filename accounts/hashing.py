"""Password hashing: slow on purpose, so one thread does all of it, and a rush is turned away early.

It stands below Django's hashers: anyone who checks or makes a password of any kind comes by here.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher

from accounts.line import RETRY_AFTER as RETRY_AFTER
from accounts.line import Busy as Busy
from accounts.line import Line

MOST_WAITING = 20
"""Maximum passwords in the queue; each takes a second or two. Read at every call."""

_queue = Line("hashing", lambda: MOST_WAITING)
submit = _queue.submit
run = _queue.run
waiting = _queue.waiting


class _InTurn:
    """Makes a hasher wait for its turn."""

    def encode(self, *args: Any) -> Any:
        return run(partial(super().encode, *args))  # type: ignore[misc]

    def verify(self, *args: Any) -> Any:
        return run(partial(super().verify, *args))  # type: ignore[misc]


class Argon2Hasher(_InTurn, Argon2PasswordHasher):
    """Argon2id with the least memory that is advised (docs/decisions/0036)."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1


class Pbkdf2Hasher(_InTurn, PBKDF2PasswordHasher):
    """For passwords that came from elsewhere; they become Argon2 at the next login."""
