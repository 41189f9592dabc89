"""The control connections of this process: programs that are available for the ladder
(`games.rooms.ladder`).

They are told at which tables they play, and renew the availability of their versions.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from typing import Any, Protocol

from games.contract.core import Refused
from games.engine.reading import in_thread
from games.rooms import ladder
from games.rooms.ladder import Playing

log = logging.getLogger(__name__)

RENEWED_EVERY = 15.0
LOOKS_AT_MOST_EVERY = 0.2


class Version(Protocol):
    """A control connection. `tables` are the codes of the tables it was told of."""

    user_id: int

    @property
    def tables(self) -> Collection[str]: ...

    def show_tables(self, found: Sequence[Playing], ended: Mapping[str, int | None]) -> None:
        """Send what has changed. `ended` has the matches of tables that are over."""


class Versions:
    """The control connections of this process."""

    def __init__(self) -> None:
        self._here: set[Version] = set()
        self._lock = asyncio.Lock()
        self._wanted = False
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, version: Version) -> None:
        """Add a connection whose version has said that it is available, and show its tables."""
        self._here.add(version)
        self._start(self.look())

    def remove(self, version: Version) -> None:
        """Remove a closed connection. If it was its version's last one, no more tables are opened
        for it.
        """
        if version in self._here:
            self._here.remove(version)
            if all(one.user_id != version.user_id for one in self._here):
                self._start(self._lose(version.user_id))

    async def look(self) -> None:
        """Send all connections what has changed. Read the tables once for all of them.

        Changes during a look are shown by one more look.
        """
        self._wanted = True
        async with self._lock:
            if not self._wanted or not self._here:
                return
            self._wanted = False
            user_ids = {one.user_id for one in self._here}
            known = {code for one in self._here for code in one.tables}
            found, ended = await in_thread(_read, user_ids, known)
            for one in tuple(self._here):
                one.show_tables(found.get(one.user_id, ()), ended)
            await asyncio.sleep(LOOKS_AT_MOST_EVERY)

    async def keep_renewing(self) -> None:
        """Renew the availability of all versions here, until cancelled."""
        while True:
            await asyncio.sleep(RENEWED_EVERY)
            try:
                if here := {one.user_id for one in self._here}:
                    await ladder.renew(here)
            except Refused:  # the writer is busy: the next renewal comes in time
                continue
            except Exception:
                log.exception("programs on the ladder could not be renewed")

    async def _lose(self, user_id: int) -> None:
        try:
            await ladder.lost(user_id)
        except Refused:  # it expires by itself
            return
        except Exception:
            log.exception("a program could not be taken off the ladder")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Start no more work, at the end of a process or a test."""
        for task in tuple(self._tasks):
            task.cancel()


def _read(
    user_ids: Collection[int], known: Collection[str]
) -> tuple[Mapping[int, Sequence[Playing]], Mapping[str, int | None]]:
    found = ladder.playing(user_ids)
    over = set(known) - {table.code for tables in found.values() for table in tables}
    return found, ladder.matches_at(over) if over else {}
