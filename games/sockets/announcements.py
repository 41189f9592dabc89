"""Sends announcements and moderators' sanctions to the open sockets of this process.

This process reads the database when it is notified, and every two seconds, so a lost notification
only delays an announcement.
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
"""Maximum delay between the timestamp of another process's row and the time when the row becomes
visible.
"""


PASSING = frozenset({"says_was", "seat_given", "seat_kept"})
"""Codes of server messages that a page removes automatically after a while."""


@dataclass(frozen=True)
class Alert:
    """A message and its level (info, warning, error). `sentence` returns it in a given language."""

    level: Level
    sentence: Callable[[str], str]
    own: bool = False
    """Whether the user must read and confirm the message on their own page."""
    to_table: bool = False
    """Whether the message is for one table. Otherwise it is for one user or for everybody."""
    passing: bool = False
    """Whether a page removes the message automatically after a while, as it does with events of a
    table.
    """
    link: str = ""
    """URL that the message links to, or "" for none."""
    keeps_seat: bool = False
    """Whether opening the link refuses somebody's claim to the user's seat."""


class Listener(Protocol):
    """A socket that receives announcements."""

    room_id: int | None

    @property
    def person(self) -> int | None:
        """User id of the socket's owner, or None if nobody is logged in."""

    def on_announcement(self, alert: Alert) -> None:
        """Show an announcement."""

    def on_ban(self, alert: Alert) -> None:
        """Show a banned user the reason, and close the connection."""


class AnnouncementBroadcaster:
    """Sends each new announcement or sanction once to every socket of this process that it
    concerns.
    """

    def __init__(self) -> None:
        self._listening: dict[Listener, datetime] = {}
        self._since = timezone.now()
        self._said: set[Key] = set()
        self._lock = asyncio.Lock()

    def listen(self, socket: Listener) -> None:
        """Send this socket what is announced from now on. Has no effect if it listens already."""
        self._listening.setdefault(socket, timezone.now())

    def drop(self, socket: Listener) -> None:
        self._listening.pop(socket, None)

    async def poll(self) -> None:
        """Read new announcements and sanctions, and send them to the sockets."""
        if not self._listening:
            return
        async with self._lock:
            for row in await in_thread(self._new):
                for socket, began in tuple(self._listening.items()):
                    try:
                        _tell(socket, began, row)
                    except Exception:
                        log.exception("an announcement could not be sent to a socket")

    def _new(self) -> list[Announcement | Sanction]:
        """Return the rows that have not been sent yet. Usually there are none, so only their ids
        are compared.
        """
        since = max(self._since, timezone.now() - LATE)
        words = Announcement.objects.filter(at__gte=since).order_by("pk")
        decided = Sanction.objects.filter(at__gte=since).order_by("pk")
        rows: list[Announcement | Sanction] = []
        known: set[Key] = set()
        for kind, found in ((Announcement, words.select_related("room")), (Sanction, decided)):
            keys: set[Key] = {(kind, pk) for pk in found.values_list("pk", flat=True)}
            if new := [pk for _, pk in keys - self._said]:
                rows += found.filter(pk__in=new)
            known |= keys
        self._said = known
        return rows


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
    """Send a user's notice to this socket if the socket belongs to that user."""
    if row.at >= began and socket.person == row.person_id:
        alert = Alert(cast(Level, row.level), lambda language: announced(row, language))
        keeps_seat = row.code == "seat_claimed"
        socket.on_announcement(replace(alert, link=link_of(row), keeps_seat=keeps_seat))


def link_of(row: Announcement) -> str:
    """Return the URL of the table to which a user's notice refers, or "" if it refers to none."""
    return reverse("table", args=[row.room.code]) if row.room is not None else ""


def link_text(keeps_seat: bool) -> str:
    """Return the text of the link in a notice, in the active language."""
    return gettext("It is mine: back to the table") if keeps_seat else gettext("To the table")


def announced(row: Announcement, language: str) -> str:
    """Return the text of an announcement in this language.

    Without a code it is the moderator's own text. With a code, it is a server message into which
    that text is inserted.
    """
    if not row.code:
        return row.text
    heir, _arrow, owner = row.text.partition(" → ")  # messages about seats have this form
    said = Refused(row.code, reason=row.text, heir=heir, owner=owner)
    return refusal(said, language=language)


def _decided(sanction: Sanction, language: str) -> str:
    with override(language):
        return sanctions.sentence(sanction)
