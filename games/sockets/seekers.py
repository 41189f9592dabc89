"""The sockets of this process whose users wait for a quick match (`games.rooms.seeking`).

They are told of every change, and renew the waits of their users.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from games.contract.core import Refused
from games.engine.reading import in_thread
from games.rooms import seeking
from games.rooms.seeking import Waiting

log = logging.getLogger(__name__)

RENEWED_EVERY = 15.0
LOOKS_AT_MOST_EVERY = 0.5


class Seeker(Protocol):
    """A socket. `is_seeking` says whether its user waits, as far as the socket knows."""

    user_id: int

    @property
    def is_seeking(self) -> bool: ...

    def show_seeks(self, found: tuple[Waiting, ...]) -> None:
        """Show what the user waits for now."""


class Seekers:
    """The sockets of this process."""

    def __init__(self) -> None:
        self._here: set[Seeker] = set()
        self._lock = asyncio.Lock()
        self._wanted = False
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, seeker: Seeker) -> None:
        """Add an open socket."""
        self._here.add(seeker)

    def remove(self, seeker: Seeker) -> None:
        """Remove a closed socket. If it was the user's last one, the wait expires soon."""
        self._here.discard(seeker)
        if seeker.is_seeking and not any(one.user_id == seeker.user_id for one in self._here):
            self._start(self._lose(seeker.user_id))

    def began(self, seeker: Seeker) -> None:
        """Record that the user of this socket still waits, and show the wait."""
        self._start(self._renew({seeker.user_id}))
        self._start(self.look())

    async def look(self) -> None:
        """Show the waits to all sockets whose users wait, reading them once for all.

        If they change meanwhile, they are read again.
        """
        self._wanted = True
        async with self._lock:
            if not self._wanted:
                return
            self._wanted = False
            here = [one for one in self._here if one.is_seeking]
            if not here:
                return
            found = await in_thread(seeking.of, {one.user_id for one in here})
            for one in here:
                one.show_seeks(found.get(one.user_id, ()))
            await asyncio.sleep(LOOKS_AT_MOST_EVERY)

    async def keep_renewing(self) -> None:
        """Renew the waits of all users here, until cancelled."""
        while True:
            await asyncio.sleep(RENEWED_EVERY)
            await self._renew({one.user_id for one in self._here if one.is_seeking})

    async def _renew(self, user_ids: set[int]) -> None:
        try:
            if user_ids:
                await seeking.renew(user_ids)
        except Refused:  # the writer is busy: the next renewal comes in time
            return
        except Exception:
            log.exception("waits for a quick match could not be renewed")

    async def _lose(self, user_id: int) -> None:
        try:
            await seeking.lost(user_id)
        except Refused:  # it expires by itself
            return
        except Exception:
            log.exception("the end of a wait for a quick match could not be recorded")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Start no more work, at the end of a process or a test."""
        for task in tuple(self._tasks):
            task.cancel()
