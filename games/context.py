"""What every page knows of the house: what moderators say to everybody for a while."""

from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone

from accounts.compiled_queries import CompiledQuery
from games.models import Announcement

_to_everybody = CompiledQuery(
    lambda now: Announcement.objects.filter(room=None, until__gt=now).order_by("pk")
)


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Words to everybody that are to be shown still, oldest first."""
    try:
        return {"announcements": _to_everybody(timezone.now())}
    except DatabaseError:  # the page that says so needs no database
        return {"announcements": []}
