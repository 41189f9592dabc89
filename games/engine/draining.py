"""Draining before a planned stop: running matches are played out, and no new ones start.

Draining is stored as an announcement that expires. Every page shows it, every program receives it,
and every process checks it before a match starts. Once it expires, matches can start again.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from games.engine.notifications import notify_everybody
from games.models import Announcement, Match, opened_by_people

CODE = "draining"
SENTENCE = gettext_noop(
    "The server restarts soon. Matches in progress can be played out; new ones start afterwards."
)


def is_draining() -> bool:
    """Whether the server is draining."""
    return Announcement.objects.filter(code=CODE, until__gt=timezone.now()).exists()


@transaction.atomic
def begin(until: datetime) -> None:
    """Allow no new matches until this time or until `end` is called. Announce this to everybody."""
    if Announcement.objects.filter(code=CODE, until__gt=timezone.now()).update(until=until):
        return  # (already announced)
    Announcement.objects.create(
        level=Announcement.Level.WARNING, text=SENTENCE, code=CODE, until=until
    )
    notify_everybody()


def end() -> bool:
    """Allow new matches again. Return False if the server was not draining."""
    now = timezone.now()
    return bool(Announcement.objects.filter(code=CODE, until__gt=now).update(until=now))


def running() -> dict[str, int]:
    """Return the number of running matches by game.

    Only tables opened by users count, because a round of the UDP table takes seconds.
    """
    matches = Match.objects.filter(opened_by_people("room__"), ended_at=None)
    return Counter(matches.order_by("game").values_list("game", flat=True))
