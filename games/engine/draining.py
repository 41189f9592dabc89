"""Before a server is stopped on purpose: matches that run are played out, and no new ones start.

It is a word to everybody, with an end: shown on every page and told to every program, and read by
every process before a match starts. When the end has come and nothing was stopped, all is as ever.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from games.engine.notifications import notify_house_changed
from games.models import Announcement, Match, opened_by_people

CODE = "draining"
SENTENCE = gettext_noop(
    "The server restarts soon. Matches in progress can be played out; new ones start afterwards."
)


def is_draining() -> bool:
    """Whether no match may start now."""
    return Announcement.objects.filter(code=CODE, until__gt=timezone.now()).exists()


@transaction.atomic
def begin(until: datetime) -> None:
    """Let no match start until then, unless `end` comes first; tell everybody."""
    if Announcement.objects.filter(code=CODE, until__gt=timezone.now()).update(until=until):
        return  # (it has been told)
    Announcement.objects.create(
        level=Announcement.Level.WARNING, text=SENTENCE, code=CODE, until=until
    )
    notify_house_changed()


def end() -> bool:
    """Let matches start again; False where they could."""
    now = timezone.now()
    return bool(Announcement.objects.filter(code=CODE, until__gt=now).update(until=now))


def running() -> dict[str, int]:
    """So many matches of each game are in play: those of people, for the table over UDP has rounds
    of seconds."""
    matches = Match.objects.filter(opened_by_people("room__"), ended_at=None)
    return Counter(matches.order_by("game").values_list("game", flat=True))
