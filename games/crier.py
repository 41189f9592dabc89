"""What moderators say to people, brought to the sockets of this process: words and decisions.

Nothing is pushed into it: it looks into the database, when hinted at and every few seconds besides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from asgiref.sync import sync_to_async
from django.utils import timezone
from django.utils.translation import override

from accounts import sanctions
from accounts.models import Sanction
from games.models import Announcement
from games.rules.core import Refused
from games.sentences import refusal

LATE = timedelta(minutes=1)
"""A write may be seen so long after the time it bears, with several processes."""


@dataclass(frozen=True)
class Alert:
    """A sentence, by language, with its level (info, warning, error); for one's own page or not."""

    level: str
    sentence: Callable[[str], str]
    own: bool = False


class Listener(Protocol):
    """A socket somebody hears by."""

    room_id: int | None

    @property
    def person(self) -> int | None:
        """For whom it speaks."""

    def hear(self, alert: Alert) -> None:
        """Takes what a moderator says."""

    def shut(self, alert: Alert) -> None:
        """The person is locked out: a sentence, and the end of the connection."""


class Crier:
    """The listening sockets of this process."""

    def __init__(self) -> None:
        self._listening: set[Listener] = set()
        self._since = timezone.now()
        self._said: set[tuple[type, int]] = set()
        self._lock = asyncio.Lock()

    def listen(self, socket: Listener) -> None:
        self._listening.add(socket)

    def drop(self, socket: Listener) -> None:
        self._listening.discard(socket)

    async def look(self) -> None:
        """Tells what is new."""
        if not self._listening:
            return
        async with self._lock:
            words, decided = await sync_to_async(self._new, thread_sensitive=False)()
            for word in words:
                self._say(word)
            for sanction in decided:
                self._bring(sanction)

    def _new(self) -> tuple[list[Announcement], list[Sanction]]:
        since = max(self._since, timezone.now() - LATE)
        words = [w for w in Announcement.objects.filter(at__gte=since) if self._first(w)]
        decided = [s for s in Sanction.objects.filter(at__gte=since) if self._first(s)]
        return words, decided

    def _first(self, row: Announcement | Sanction) -> bool:
        key = (type(row), row.pk)
        if key in self._said:
            return False
        self._said.add(key)
        return True

    def _say(self, word: Announcement) -> None:
        alert = Alert(word.level, lambda language: announced(word, language))
        for socket in tuple(self._listening):
            if word.room_id is None or word.room_id == socket.room_id:
                socket.hear(alert)

    def _bring(self, sanction: Sanction) -> None:
        alert = Alert("error", lambda language: _decided(sanction, language), own=True)
        for socket in tuple(self._listening):
            if socket.person != sanction.user_id:
                continue
            if sanction.kind == Sanction.Kind.LOCK:
                socket.shut(alert)
            elif sanction.seen_at is None:
                socket.hear(alert)


def announced(word: Announcement, language: str) -> str:
    """A word as it is told: as a moderator wrote it, or the house's sentence with it."""
    if not word.code:
        return word.text
    return refusal(Refused(word.code, reason=word.text), language=language)


def _decided(sanction: Sanction, language: str) -> str:
    with override(language):
        return sanctions.sentence(sanction)
