"""The programs connected to this process, in a room or not. They receive invitations and alerts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from django.utils import timezone

from accounts import mutes_and_blocks
from games.engine.reading import in_thread
from games.models import Invitation, Room
from games.wire.parts import Level

log = logging.getLogger(__name__)

OVERLAP = timedelta(seconds=30)
"""Time span for which invitations are read again, because other processes may commit late."""


class ApiClient(Protocol):
    """A program's connection. `user_id` is 0 until the user is known."""

    user_id: int

    def alert(self, level: Level, code: str) -> None:
        """Show the message with this code (`games.tables.sentences`)."""

    def invited(self, invitation: Invitation) -> None:
        """Send an invitation unless it has already been sent."""

    async def drained(self) -> None:
        """Wait until the queue has been sent."""


class ApiClients:
    """The connections of programs to this process."""

    def __init__(self) -> None:
        self._here: dict[ApiClient, None] = {}
        self._polled = timezone.now()

    def add(self, client: ApiClient, kept: Iterable[Invitation]) -> None:
        """Add a connection and send it the invitations in `kept`.

        The next poll sends any invitations that came after `kept` was read.
        """
        self._here[client] = None
        for invitation in kept:
            client.invited(invitation)

    def remove(self, client: ApiClient) -> None:
        """Remove a closed connection."""
        self._here.pop(client, None)

    async def poll(self) -> None:
        """Send the invitations that have arrived since the last poll."""
        people = {client.user_id for client in self._here} - {0}
        since, self._polled = self._polled, timezone.now()
        if people:
            self._bring(await _invitations(people, since - OVERLAP))

    async def tell_all(self, level: Level, code: str, patience: float) -> None:
        """Show a message to all connected programs.

        Return when it has been sent, or after `patience` seconds.
        """
        clients = tuple(self._here)
        for client in clients:
            client.alert(level, code)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await asyncio.gather(*(client.drained() for client in clients))

    def _bring(self, invitations: Iterable[Invitation]) -> None:
        for invitation in invitations:
            for client in tuple(self._here):
                if client.user_id == invitation.user_id:
                    client.invited(invitation)


async def _invitations(people: Iterable[int], since: datetime) -> Sequence[Invitation]:
    return await in_thread(open_invitations, list(people), since)


def open_invitations(people: Sequence[int], since: datetime | None = None) -> Sequence[Invitation]:
    """Return these users' invitations to rooms that they can still join, oldest first.

    Leave out rooms that they are in. Leave out a host's rooms if the host or the user has blocked
    the other.
    """
    asked = Invitation.objects.all()
    if since is not None:
        asked = asked.filter(at__gt=since)
        people = list({*people} & {*asked.values_list("user", flat=True)})
    asked = asked.filter(user__in=people)
    if not asked.exists():  # few people have invitations, and the query below is expensive
        return []
    found = asked.standing().exclude(room__status=Room.Status.CLOSED)
    rows = found.select_related("room__host").order_by("at", "pk")
    apart = mutes_and_blocks.apart(people)
    return [row for row in rows if (row.user_id, row.room.host_id) not in apart]
