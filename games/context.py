"""Context processor that adds site-wide announcements and the user's own notices."""

from typing import Any

from django.db import DatabaseError
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from games.models import Announcement, Room
from games.sockets.announcements import announced, link_of, link_text


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Return the current site-wide announcements and the user's own notices, oldest first."""
    try:
        person = request.user.pk if hasattr(request, "user") else None
        shown = _shown_to(person)
        own = [word for word in shown if person is not None and word.person_id == person]
        told = [_notice(word) for word in own if _holds(word) and not _is_followed(word, request)]
        return {"announcements": [word for word in shown if word.room_id is None], "told": told}
    except DatabaseError:  # an error page must not need the database
        return {"announcements": [], "told": []}


def _shown_to(person: int | None) -> list[Announcement]:
    now_shown = Announcement.objects.filter(until__gt=timezone.now())
    if not now_shown.exists():  # usually there are none, and this query is cheap
        return []
    concerning = Q(room=None) if person is None else Q(room=None) | Q(person=person)
    return list(now_shown.filter(concerning).order_by("pk"))


def _holds(word: Announcement) -> bool:
    """Whether a notice is still relevant. One about a claimed seat is relevant only during the
    match.
    """
    playing = word.room is not None and word.room.status == Room.Status.PLAYING
    return word.code != "seat_claimed" or playing


def _notice(word: Announcement) -> tuple[Announcement, str, str, str]:
    text = announced(word, get_language() or "en")
    return word, text, link_of(word), link_text(word.code == "seat_claimed")


def _is_followed(word: Announcement, request: HttpRequest) -> bool:
    """Whether this page is the one that a claim's notice links to. Opening it settles the claim."""
    return word.code == "seat_claimed" and link_of(word) == request.path
