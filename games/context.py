"""What every page knows of the house: what moderators say to everybody for a while."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from games.models import Announcement


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Words to everybody that are to be shown still, oldest first."""
    shown = Announcement.objects.filter(room=None, until__gt=timezone.now())
    return {"announcements": shown.order_by("pk")}
