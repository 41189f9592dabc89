"""The control connections of this process: programs that are available for the ladder
(`games.rooms.ladder`).

They are told at which tables they play, and renew the availability of their versions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from typing import Protocol

from games.engine.reading import in_thread
from games.rooms import ladder
from games.rooms.ladder import Playing
from games.sockets.waiters import Waiters


class Version(Protocol):
    """A control connection. `tables` are the codes of the tables it was told of."""

    user_id: int

    @property
    def tables(self) -> Collection[str]: ...

    def show_tables(self, found: Sequence[Playing], ended: Mapping[str, int | None]) -> None:
        """Send what has changed. `ended` has the matches of tables that are over."""


class Versions(Waiters[Version]):
    """The control connections of this process."""

    shown_at_most_every = 0.2

    def add(self, version: Version) -> None:
        """Add a connection whose version has said that it is available, and show its tables."""
        super().add(version)
        self._start(self.poll())

    async def show(self, here: Sequence[Version]) -> None:
        known = {code for one in here for code in one.tables}
        found, ended = await in_thread(_read, {one.user_id for one in here}, known)
        for one in here:
            one.show_tables(found.get(one.user_id, ()), ended)

    def renew(self, user_ids: set[int]) -> Awaitable[None]:
        return ladder.renew(user_ids)

    def lost(self, user_id: int) -> Awaitable[None]:
        return ladder.lost(user_id)


def _read(
    user_ids: Collection[int], known: Collection[str]
) -> tuple[Mapping[int, Sequence[Playing]], Mapping[str, int | None]]:
    found = ladder.playing(user_ids)
    over = set(known) - {table.code for tables in found.values() for table in tables}
    return found, ladder.matches_at(over) if over else {}
