"""The sockets of this process whose users wait for a quick match (`games.rooms.seeking`).

They are told of every change, and renew the waits of their users.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from games.engine.reading import in_thread
from games.rooms import seeking
from games.rooms.seeking import Waiting
from games.sockets.waiters import Waiters


class Seeker(Protocol):
    """A socket. `is_seeking` says whether its user waits, as far as the socket knows."""

    user_id: int

    @property
    def is_seeking(self) -> bool: ...

    def show_seeks(self, found: tuple[Waiting, ...]) -> None:
        """Show what the user waits for now."""


class Seekers(Waiters[Seeker]):
    """The sockets of this process."""

    def waiting(self) -> Sequence[Seeker]:
        return [one for one in self._here if one.is_seeking]

    async def show(self, here: Sequence[Seeker]) -> None:
        found = await in_thread(seeking.of, {one.user_id for one in here})
        for one in here:
            one.show_seeks(found.get(one.user_id, ()))

    def renew(self, user_ids: set[int]) -> Awaitable[None]:
        return seeking.renew(user_ids)

    def lost(self, user_id: int) -> Awaitable[None]:
        return seeking.lost(user_id)
