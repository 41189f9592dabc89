"""The programs connected to this process, at a table or not: invitations and alerts reach them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from django.utils import timezone

from accounts import mutes_and_blocks
from accounts.compiled_queries import CompiledQuery
from games.engine.reading import in_thread
from games.models import Invitation, Room
from games.wire.parts import Level

log = logging.getLogger(__name__)

_asked = CompiledQuery(
    lambda people, since: Invitation.objects.filter(user__in=people, at__gt=since).values_list(
        "pk", flat=True
    )[:1]
)

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""Before any invitation."""
OVERLAP = timedelta(seconds=30)
"""Invitations are looked at again for so long: others may be committed late by other processes."""


class ApiClient(Protocol):
    """A connection of somebody (`user_id`), or of nobody yet (0)."""

    user_id: int

    def alert(self, level: Level, code: str) -> None:
        """Show a sentence of the house (`games.tables.sentences`)."""

    def invited(self, invitation: Invitation) -> None:
        """Tell of an invitation, once however often it is brought."""

    async def drained(self) -> None:
        """Wait until what is queued has gone out."""


class ApiClients:
    """The JSON connections of this process."""

    def __init__(self) -> None:
        self._here: dict[ApiClient, None] = {}
        self._looked = timezone.now()

    def add(self, client: ApiClient, kept: Iterable[Invitation]) -> None:
        """Add a connection, and bring the invitations that have been kept for its person. What has
        come since those were looked up is brought by the next look."""
        self._here[client] = None
        for invitation in kept:
            client.invited(invitation)

    def remove(self, client: ApiClient) -> None:
        """Remove a connection that is closed."""
        self._here.pop(client, None)

    async def look(self) -> None:
        """Bring the invitations that have come since the last look."""
        people = {client.user_id for client in self._here} - {0}
        since, self._looked = self._looked, timezone.now()
        if people:
            self._bring(await _invitations(people, since - OVERLAP))

    async def tell_all(self, level: Level, code: str, patience: float) -> None:
        """Show a sentence to everybody; return when it is out, or after so many seconds."""
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


def open_invitations(people: Sequence[int], since: datetime = LONG_AGO) -> Sequence[Invitation]:
    """Invitations of these people to rooms they can still come to and are not in, oldest first.

    Not to tables of hosts they do not want to meet, or who do not want to meet them.
    """
    if not _asked(people, since):  # hardly anybody has one, and what follows is dear
        return []
    asked = Invitation.objects.filter(user__in=people, at__gt=since)
    found = asked.standing().exclude(room__status=Room.Status.CLOSED)
    rows = found.select_related("room__host").order_by("at", "pk")
    apart = mutes_and_blocks.apart(people)
    return [row for row in rows if (row.user_id, row.room.host_id) not in apart]
