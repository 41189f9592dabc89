"""What moderators say to people, brought to the sockets of this process: words and decisions.

Nothing is pushed into it: it looks into the database, when notified and every few seconds besides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, cast

from django.utils import timezone
from django.utils.translation import override

from accounts import sanctions
from accounts.models import Sanction
from games.models import Announcement
from games.packets.parts import Level
from games.reading import in_thread
from games.rules.core import Refused
from games.sentences import refusal

log = logging.getLogger(__name__)

Key = tuple[type[Announcement] | type[Sanction], int]

LATE = timedelta(minutes=1)
"""A write may be seen so long after the time it bears, with several processes."""


@dataclass(frozen=True)
class Alert:
    """A sentence, by language, with its level (info, warning, error)."""

    level: Level
    sentence: Callable[[str], str]
    own: bool = False
    """Whether it is to be read and confirmed on one's own page."""
    to_table: bool = False
    """Whether it is said to one table; else to the person, or to everybody."""


class Listener(Protocol):
    """A socket somebody hears by."""

    room_id: int | None

    @property
    def person(self) -> int | None:
        """For whom it speaks."""

    def on_announcement(self, alert: Alert) -> None:
        """Take what a moderator says."""

    def on_ban(self, alert: Alert) -> None:
        """The person is locked out: a sentence, and the end of the connection."""


class AnnouncementBroadcaster:
    """The listening sockets of this process."""

    def __init__(self) -> None:
        self._listening: dict[Listener, datetime] = {}
        self._since = timezone.now()
        self._said: set[Key] = set()
        self._lock = asyncio.Lock()

    def listen(self, socket: Listener) -> None:
        self._listening[socket] = timezone.now()

    def drop(self, socket: Listener) -> None:
        self._listening.pop(socket, None)

    async def look(self) -> None:
        """Tell what is new."""
        if not self._listening:
            return
        async with self._lock:
            for row in await in_thread(self._new):
                for socket, began in tuple(self._listening.items()):
                    try:
                        _tell(socket, began, row)
                    except Exception:
                        log.exception("a socket could not be told")

    def _new(self) -> list[Announcement | Sanction]:
        since = max(self._since, timezone.now() - LATE)
        words = Announcement.objects.filter(at__gte=since).order_by("pk")
        decided = Sanction.objects.filter(at__gte=since).order_by("pk")
        rows: list[Announcement | Sanction] = [*words, *decided]
        found = {(type(row), row.pk): row for row in rows}
        new = [row for key, row in found.items() if key not in self._said]
        self._said = set(found)
        return new


def _tell(socket: Listener, began: datetime, row: Announcement | Sanction) -> None:
    if isinstance(row, Announcement):
        if row.at >= began and row.room_id in (None, socket.room_id):
            level, to_table = cast(Level, row.level), row.room_id is not None
            socket.on_announcement(
                Alert(level, lambda language: announced(row, language), to_table=to_table)
            )
    elif socket.person == row.user_id:
        locked = row.kind == Sanction.Kind.LOCK
        alert = Alert("error", lambda language: _decided(row, language), own=not locked)
        if locked:
            socket.on_ban(alert)
        elif row.seen_at is None:
            socket.on_announcement(alert)


def announced(word: Announcement, language: str) -> str:
    """A word as it is told: as a moderator wrote it, or the house's sentence with it."""
    if not word.code:
        return word.text
    return refusal(Refused(word.code, reason=word.text), language=language)


def _decided(sanction: Sanction, language: str) -> str:
    with override(language):
        return sanctions.sentence(sanction)
