"""Sockets whose users wait for something that is stored and expires unless it is renewed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Sequence
from typing import Any, Generic, Protocol, TypeVar

from games.contract.core import Refused

log = logging.getLogger(__name__)


class Waiter(Protocol):
    """A socket."""

    user_id: int


W = TypeVar("W", bound=Waiter)


class Waiters(Generic[W]):
    """The sockets of this process. They are shown every change, and what they wait for is renewed.

    Subclasses say what to read and what to store.
    """

    renewed_every = 15.0
    shown_at_most_every = 0.5
    """Seconds."""

    def __init__(self) -> None:
        self._here: set[W] = set()
        self._lock = asyncio.Lock()
        self._wanted = False
        self._tasks: set[asyncio.Task[None]] = set()

    def waiting(self) -> Sequence[W]:
        """Return the sockets whose users wait."""
        return tuple(self._here)

    async def show(self, here: Sequence[W]) -> None:
        """Read what has changed, and show it to these sockets."""
        raise NotImplementedError

    def renew(self, user_ids: set[int]) -> Awaitable[None]:
        """Store that these users still wait."""
        raise NotImplementedError

    def lost(self, user_id: int) -> Awaitable[None]:
        """Store that the last socket of this user has closed."""
        raise NotImplementedError

    def add(self, waiter: W) -> None:
        """Add an open socket."""
        self._here.add(waiter)

    def remove(self, waiter: W) -> None:
        """Remove a closed socket. If it was its user's last one, the wait expires soon."""
        has_waited = waiter in self.waiting()
        self._here.discard(waiter)
        if has_waited and all(one.user_id != waiter.user_id for one in self._here):
            self._start(self._stored(self.lost(waiter.user_id)))

    def began(self, waiter: W) -> None:
        """Record that the user of this socket still waits, and show the wait."""
        self._start(self._stored(self.renew({waiter.user_id})))
        self._start(self.poll())

    async def poll(self) -> None:
        """Show all sockets what has changed, reading it once for all of them.

        If something changes during a call, show it in another pass.
        """
        self._wanted = True
        async with self._lock:
            if not self._wanted:
                return
            self._wanted = False
            if here := self.waiting():
                await self.show(here)
                await asyncio.sleep(self.shown_at_most_every)

    async def keep_renewing(self) -> None:
        """Renew the waits of all users here, until cancelled."""
        while True:
            await asyncio.sleep(self.renewed_every)
            if user_ids := {one.user_id for one in self.waiting()}:
                await self._stored(self.renew(user_ids))

    async def _stored(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Refused:  # the writer is busy: the next renewal comes in time
            return
        except Exception:
            log.exception("a wait could not be stored")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Start no more work, at the end of a process or a test."""
        for task in tuple(self._tasks):
            task.cancel()
