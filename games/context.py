"""What every page knows of the house: what moderators say to everybody for a while."""

from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone

from games.models import Announcement


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Words to everybody that are to be shown still, oldest first."""
    shown = Announcement.objects.filter(room=None, until__gt=timezone.now())
    try:
        return {"announcements": list(shown.order_by("pk"))}
    except DatabaseError:  # the page that says so needs no database
        return {"announcements": []}
