"""Password hashing. It is slow on purpose, so one thread does all of it, from a bounded queue.

It works below Django's hashers, so every password check and every new password uses it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher

from accounts.line import RETRY_AFTER as RETRY_AFTER
from accounts.line import Busy as Busy
from accounts.line import Line

MOST_WAITING = 20
"""Maximum passwords in the queue. Each takes a second or two. The value is read at every call."""

_queue = Line("hashing", lambda: MOST_WAITING)
submit = _queue.submit
run = _queue.run
waiting = _queue.waiting


class _InTurn:
    """Mixin that runs the hasher in the queue's thread."""

    def encode(self, *args: Any) -> Any:
        return run(partial(super().encode, *args))  # type: ignore[misc]

    def verify(self, *args: Any) -> Any:
        return run(partial(super().verify, *args))  # type: ignore[misc]


class Argon2Hasher(_InTurn, Argon2PasswordHasher):
    """Argon2id with the smallest recommended memory size (docs/decisions/0036)."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1


class Pbkdf2Hasher(_InTurn, PBKDF2PasswordHasher):
    """Hasher for imported passwords. They are rehashed with Argon2 at the next login."""
