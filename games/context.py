"""What every page knows of the house: what moderators say to everybody for a while."""

from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from accounts.compiled_queries import CompiledQuery
from games.models import Announcement
from games.sockets.announcements import announced, link_of

_to_everybody = CompiledQuery(
    lambda now: Announcement.objects.filter(room=None, until__gt=now).order_by("pk")
)


_to_one = CompiledQuery(
    lambda person, now: (
        Announcement.objects.filter(person_id=person, until__gt=now)
        .select_related("room")
        .order_by("pk")
    )
)


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Words to everybody that are to be shown still, oldest first."""
    try:
        now, person = timezone.now(), request.user.pk if hasattr(request, "user") else None
        own = [] if person is None else _to_one(person, now)
        told = [(word, announced(word, get_language() or "en"), link_of(word)) for word in own]
        return {"announcements": _to_everybody(now), "told": told}
    except DatabaseError:  # the page that says so needs no database
        return {"announcements": [], "told": []}
