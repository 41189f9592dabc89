"""A machine with simulated time and randomness, so that one seed determines all that happens.

`begin` must run before Django is imported. It replaces clocks, sources of randomness and thread
pools. Event loops do not wait: when all of them are idle, the time jumps to the next timer.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import os
import random
import secrets
import selectors
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
SETTINGS = {
    "DEBUG": "1",  # static files need not be collected
    "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "LADDER": "1",
    "LIMIT_GUESTS": "0",
    "LIMIT_STARTS": "0",
    "SECRET_KEY": "simulated",
    "SOCKETS_PER_ADDRESS": "0",
    "WS_BURST": "0",
}


ROUNDED = 1e-9
"""Seconds added to each jump, so that a rounded sum is never earlier than the timer."""

real = SimpleNamespace(monotonic=time.monotonic, time=time.time, process_time=time.process_time)
"""The clocks of the real machine."""


class Machine:
    """The simulated time, and the random numbers of one seed."""

    def __init__(self) -> None:
        self.now = 1000.0
        """Seconds since the machine started."""
        self.jumped = 0.0
        """Seconds by which the system clock was set forward or back."""
        self.dice = random.Random(0)
        """The source of everything that the server draws: codes, tokens, seeds of matches."""

    def wall(self) -> datetime:
        return BEGAN + timedelta(seconds=self.now + self.jumped)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


machine = Machine()
PROCESS: ContextVar[Any] = ContextVar("PROCESS")
"""The simulated process (`tests.sim.server.Process`) that runs the current code."""


class _Idle(selectors.SelectSelector):
    """A selector that watches no files and jumps to the next timer instead of waiting."""

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("nothing is left to do, and the evening is not over")
        if timeout > 0:
            machine.now += timeout + ROUNDED
        return []


class Loop(asyncio.SelectorEventLoop):
    """An event loop in simulated time. It runs work for threads at once, without threads.

    Each callback runs in the process that scheduled it, and not at all if that was killed.
    """

    def __init__(self) -> None:
        super().__init__(_Idle())

    def time(self) -> float:
        return machine.now

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:
        return super().call_soon(_run, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        return super().call_at(when, _run, callback, *args, context=context)

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: Any, function: Any, *args: Any) -> Any:
        done = self.create_future()
        try:
            done.set_result(function(*args))
        except Exception as error:
            done.set_exception(error)
        return done


def _run(callback: Callable[..., object], *args: Any) -> None:
    if PROCESS.get().enter():
        callback(*args)


class AtOnce:
    """A pool of threads or processes that runs each job when it is submitted."""

    def __init__(self, *_: Any, initializer: Callable[[], object] | None = None, **__: Any) -> None:
        self._initializer = initializer

    def submit(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Future[Any]:
        from django.db import DEFAULT_DB_ALIAS, connections

        done: Future[Any] = Future()
        database = connections[DEFAULT_DB_ALIAS]
        database.close = lambda: None  # jobs close the connection of their thread
        try:
            done.set_result(function(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        finally:
            vars(database).pop("close", None)
        return done

    def shutdown(self, wait: bool = True, cancel_futures: bool = False) -> None:
        pass


def begin(migrated: Path | None = None) -> Path:
    """Replace time and chance, start Django, and return a migrated database in its own folder.

    If `migrated` is given, the database is a copy of it.
    """
    folder = tempfile.mkdtemp(prefix="parlour-sim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    database = Path(folder) / "migrated.sqlite3"
    _replace_time()
    _replace_chance()
    concurrent.futures.ThreadPoolExecutor = AtOnce  # type: ignore[assignment, misc]
    concurrent.futures.ProcessPoolExecutor = AtOnce  # type: ignore[assignment, misc]
    os.environ |= SETTINGS | {"PARLOUR_DATA": folder, "DATABASE_URL": f"sqlite:///{database}"}
    import django
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    if migrated is not None:
        shutil.copy(migrated, database)
    else:
        call_command("migrate", verbosity=0)
        connections.close_all()
    return database


def _replace_time() -> None:
    from django.utils import timezone

    time.monotonic = lambda: machine.now
    time.time = lambda: machine.wall().timestamp()
    time.sleep = machine.sleep  # type: ignore[assignment]
    timezone.now = machine.wall


def _replace_chance() -> None:
    """Draw all random numbers from the machine's seed, including those of libraries."""

    def drawn(size: int | None = None) -> bytes:
        return machine.dice.randbytes(32 if size is None else size)

    os.urandom = drawn
    secrets.token_bytes = drawn
    secrets.token_hex = lambda size=None: drawn(size).hex()
    secrets.token_urlsafe = lambda size=None: drawn(size).hex()
    secrets.choice = lambda among: machine.dice.choice(among)
    secrets.randbelow = lambda below: machine.dice.randrange(below)
