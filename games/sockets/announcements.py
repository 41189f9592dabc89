"""Announcements and sanctions of moderators, brought to the open sockets of this process.

Nothing is pushed into it: it reads the database, when notified and every two seconds besides, so
that a lost notification delays an announcement and never loses it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol, cast

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts import sanctions
from accounts.models import Sanction
from games.contract.core import Refused
from games.engine.reading import in_thread
from games.models import Announcement
from games.tables.sentences import refusal
from games.wire.parts import Level

log = logging.getLogger(__name__)

Key = tuple[type[Announcement] | type[Sanction], int]

LATE = timedelta(minutes=1)
"""With several processes, a row may become visible so long after its own timestamp."""


PASSING = frozenset({"says_was", "seat_given", "seat_kept"})
"""Sentences of the house that are read once: the table has its room back after them."""


@dataclass(frozen=True)
class Alert:
    """A sentence, by language, with its level (info, warning, error)."""

    level: Level
    sentence: Callable[[str], str]
    own: bool = False
    """Whether it is to be read and confirmed on one's own page."""
    to_table: bool = False
    """Whether it is said to one table; else to the person, or to everybody."""
    passing: bool = False
    """Whether it goes from a page by itself, as what happens at a table does."""
    link: str = ""
    """The page it leads to."""
    keeps_seat: bool = False
    """Whether following the link keeps a seat that somebody claims."""


class Listener(Protocol):
    """A socket that announcements reach."""

    room_id: int | None

    @property
    def person(self) -> int | None:
        """The id of the user whose socket it is; None for nobody."""

    def on_announcement(self, alert: Alert) -> None:
        """Show what a moderator says."""

    def on_ban(self, alert: Alert) -> None:
        """Show why the person is locked out, and close the connection."""


class AnnouncementBroadcaster:
    """Brings each new row once to every socket of this process that it concerns."""

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
        """Read what is new, and bring it to the sockets."""
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
        words = Announcement.objects.filter(at__gte=since).select_related("room").order_by("pk")
        decided = Sanction.objects.filter(at__gte=since).order_by("pk")
        rows: list[Announcement | Sanction] = [*words, *decided]
        found = {(type(row), row.pk): row for row in rows}
        new = [row for key, row in found.items() if key not in self._said]
        self._said = set(found)
        return new


def _tell(socket: Listener, began: datetime, row: Announcement | Sanction) -> None:
    if isinstance(row, Announcement):
        if row.person_id is not None:
            _tell_one(socket, began, row)
        elif row.at >= began and row.room_id in (None, socket.room_id):
            level, to_table = cast(Level, row.level), row.room_id is not None
            passing = row.code in PASSING
            socket.on_announcement(
                Alert(level, lambda language: announced(row, language), False, to_table, passing)
            )
    elif socket.person == row.user_id:
        locked = row.kind == Sanction.Kind.LOCK
        alert = Alert("error", lambda language: _decided(row, language), own=not locked)
        if locked:
            socket.on_ban(alert)
        elif row.seen_at is None:
            socket.on_announcement(alert)


def _tell_one(socket: Listener, began: datetime, row: Announcement) -> None:
    """Something for one person, on all their pages and devices."""
    if row.at >= began and socket.person == row.person_id:
        alert = Alert(cast(Level, row.level), lambda language: announced(row, language))
        keeps_seat = row.code == "seat_claimed"
        socket.on_announcement(replace(alert, link=link_of(row), keeps_seat=keeps_seat))


def link_of(row: Announcement) -> str:
    """The page of the table an announcement to one person is about."""
    return reverse("table", args=[row.room.code]) if row.room is not None else ""


def link_text(keeps_seat: bool) -> str:
    """Return what the link of a notice says, in the active language."""
    return gettext("It is mine: back to the table") if keeps_seat else gettext("To the table")


def announced(row: Announcement, language: str) -> str:
    """The text of an announcement: as a moderator wrote it, or the house's sentence around it."""
    if not row.code:
        return row.text
    heir, _arrow, owner = row.text.partition(" → ")  # of sentences about seats
    said = Refused(row.code, reason=row.text, heir=heir, owner=owner)
    return refusal(said, language=language)


def _decided(sanction: Sanction, language: str) -> str:
    with override(language):
        return sanctions.sentence(sanction)
